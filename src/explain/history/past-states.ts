import { badRequest, expired, notFound } from '../../api/errors.ts';
import type { Objects } from '../../registry/objects.ts';
import type { ApiObject, ResourceType } from '../../registry/resource-type.ts';
import { fromHub } from '../../registry/versions.ts';
import type { Rest } from '../../runtime/pacing.ts';
import { HistoryGone } from '../../storage/backend.ts';
import type { Version } from '../../storage/log/version.ts';
import type { AskedObject } from '../asked-object.ts';

/** A version with the object that it holds; for a deletion the last state. */
export interface PastState {
  /** As the log holds it. */
  readonly version: Version;
  /** The same with its bytes in memory. */
  readonly read: Version;
  readonly object: ApiObject;
}

/** So many versions are read from the store, and converted, at a time; fewer when they are large. */
const BATCH_VERSIONS = 32;
const BATCH_BYTES = 4 << 20;

/** The object of a version as the type that was asked for shows it. */
export async function stateOf(objects: Objects, { type }: AskedObject, version: Version): Promise<PastState> {
  const [state] = await statesOf(objects, { type }, [version]);
  if (!state) throw forgotten(version.revision, objects, type);
  return state();
}

/**
 * States in the same order, each of which is read when it is called for; those that compaction has passed meanwhile, and all
 * older ones, are left out.
 */
async function statesOf(
  objects: Objects,
  { type }: Pick<AskedObject, 'type'>,
  versions: readonly Version[],
): Promise<(() => Promise<PastState>)[]> {
  const read = await readable(objects, versions);
  const shown = (await objects.preparing(type)?.(read)) ?? read;
  return read.flatMap((one, at) => {
    const [version, prepared] = [versions[at], shown[at]];
    if (!version || !prepared) return [];
    return async () => ({ version, read: one, object: fromHub(type, await objects.onceWithRests(prepared)) });
  });
}

async function readable(objects: Objects, versions: readonly Version[]): Promise<readonly Version[]> {
  try {
    return await objects.fetch(versions);
  } catch (error) {
    if (!(error instanceof HistoryGone)) throw error;
    return versions.length > 1 ? readable(objects, versions.slice(0, versions.length >>> 1)) : [];
  }
}

/** The states from a version on backwards, read some at a time. Ends where history does. */
export async function* statesBefore(
  objects: Objects,
  asked: AskedObject,
  newest: Version | undefined,
  rest: Rest,
): AsyncGenerator<PastState> {
  let next = newest;
  while (next) {
    const batch: Version[] = [];
    for (let bytes = 0; next && batch.length < BATCH_VERSIONS && bytes < BATCH_BYTES; next = next.previous) {
      batch.push(next);
      bytes += next.size;
    }
    const states = await statesOf(objects, asked, batch);
    for (const state of states) {
      yield await state();
      await rest();
    }
    if (states.length < batch.length) return;
  }
}

/** Versions looked at between two looks at the clock: nothing is read of them. */
const LOOKS = 2_000;

/** The newest version that is not later than a revision; undefined when the object was not known before. */
export async function versionAsOf(
  objects: Objects,
  { type, namespace, name }: AskedObject,
  revision: number,
  rest: Rest,
): Promise<Version | undefined> {
  let version = objects.newest(type, namespace, name);
  for (let looks = 1; version && version.revision > revision; version = version.previous, looks++) {
    if (looks % LOOKS === 0) await rest();
  }
  if (!version && revision < objects.forgotten(type)) throw forgotten(revision, objects, type);
  return version;
}

/** Whether a version is all that is left of what was before the time that is remembered. */
export const isBeforeHistory = (objects: Objects, type: ResourceType, version: Version): boolean =>
  version.previous === undefined && version.revision <= objects.forgotten(type);

/** A resource version that a question names, once it is known here. */
export async function namedRevision(objects: Objects, field: string, text: string): Promise<number> {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw badRequest(`${field}: ${JSON.stringify(text)} is no resource version`);
  await objects.catchUp(text);
  return Number(text);
}

export const forgotten = (revision: number, objects: Objects, type: ResourceType) =>
  expired(`what was before resource version ${objects.forgotten(type)} is forgotten, and ${revision} is`);

export const unknownObject = ({ type: { group, plural }, name }: AskedObject) =>
  notFound({ group, resource: plural }, name);
