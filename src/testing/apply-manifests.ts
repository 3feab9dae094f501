import { type ManifestObject, manifestsIn } from '../cli/platformctl/manifests/read-manifests.ts';
import { type Client, CustomResourceDefinition, type Input, type UntypedObject } from '../client/index.ts';
import { manifestFiles, manifestText } from './manifest-files.ts';

/** What can be applied: a pattern of file names, an object, or several of either. */
export type Manifests = string | object | readonly (string | object)[];

/** The owner of fields that a test applies. */
const OWNER = 'test';

/**
 * Has objects be as manifests say: definitions of custom kinds first, which are waited for until they are served, then
 * namespaces, then the rest in its order. Fields of others are taken over. Returns the objects as they are now, in the
 * order in which they were given.
 */
export async function applyManifests(client: Client, manifests: Manifests): Promise<readonly UntypedObject[]> {
  const objects = await objectsIn(manifests);
  const applied = new Map<ManifestObject, UntypedObject>();
  for (const [kinds, isIn] of [
    [DEFINITIONS, true],
    [NAMESPACES, true],
    [[...DEFINITIONS, ...NAMESPACES], false],
  ] as const) {
    const wave = objects.filter(({ kind }) => kinds.includes(kind) === isIn);
    for (const object of wave) applied.set(object, await applyOne(client, object));
    if (kinds === DEFINITIONS) for (const { metadata } of wave) await untilServed(client, metadata.name ?? '');
  }
  return objects.flatMap((object) => applied.get(object) ?? []);
}

const DEFINITIONS: readonly string[] = ['CustomResourceDefinition'];
const NAMESPACES: readonly string[] = ['Namespace'];

async function objectsIn(manifests: Manifests): Promise<readonly ManifestObject[]> {
  const objects: ManifestObject[] = [];
  for (const one of Array.isArray(manifests) ? manifests : [manifests]) {
    if (typeof one !== 'string') await addText(JSON.stringify(one), 'an object', objects);
    else for (const file of await manifestFiles(one)) await addText(await manifestText(file), file, objects);
  }
  return objects;
}

async function addText(text: string, source: string, objects: ManifestObject[]): Promise<void> {
  for await (const { object } of manifestsIn(text, source)) objects.push(object);
}

/** An object that does not say where it belongs goes to the client's namespace; kinds that have none leave it aside. */
async function applyOne(client: Client, object: ManifestObject): Promise<UntypedObject> {
  const { apiVersion, kind, metadata } = object;
  const objects = client.of({ apiVersion, kind }).inNamespace(metadata.namespace);
  const options = { force: true, fieldManager: OWNER } as const;
  return (await objects.apply(object as Input<UntypedObject>, options)).applied;
}

/** A definition is served a moment after it is accepted. */
async function untilServed(client: Client, name: string): Promise<void> {
  for await (const { type, object } of client.of(CustomResourceDefinition).watch({
    fieldSelector: { 'metadata.name': name },
  })) {
    if (type === 'BOOKMARK') continue;
    if (type === 'DELETED') throw new Error(`the definition ${name} was deleted before it was served`);
    const isTrue = (condition: string): boolean =>
      (object.status?.conditions ?? []).some(({ type, status }) => type === condition && status === 'True');
    const refusal = (object.status?.conditions ?? []).find(({ type, status }) => isRefused(type, status));
    if (refusal) throw new Error(`the definition ${name} is not served: ${refusal.message ?? refusal.reason}`);
    if (isTrue('Established')) return;
  }
}

const isRefused = (type: string | undefined, status: string | undefined): boolean =>
  (type === 'NamesAccepted' && status === 'False') || (type === 'NonStructuralSchema' && status === 'True');
