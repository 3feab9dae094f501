import { createHash } from 'node:crypto';
import type { AnyObject } from '../../../../client/plane-client.ts';
import { CommandError } from '../../frame/failure.ts';
import type { Session } from '../../frame/session.ts';
import type { DryRun } from '../../frame/write-flags.ts';
import type { ManifestObject } from '../../manifests/read-manifests.ts';
import type { Written } from '../../resources/each-written.ts';
import { ObjectWrites } from '../../resources/object-writes.ts';
import { allOf, type SelectedObject } from '../../resources/selection.ts';
import type { ServedResource, ServedResources } from '../../resources/served-resources.ts';
import { type PruneFlags, pruneObject } from './pruning.ts';

interface SetFlags extends Omit<PruneFlags, 'selector' | 'pruneAllowlist'> {
  readonly applyset?: string | undefined;
  readonly dryRun: DryRun;
}

const TOOLING = 'platformctl/v1';

/** Where the object is that stands for a set. */
interface Parent {
  readonly resource: ServedResource;
  readonly namespace: string;
  readonly name: string;
}

/** Names of the labels and annotations that sets are made of. */
interface SetKeys {
  readonly id: string;
  readonly partOf: string;
  readonly tooling: string;
  readonly contains: string;
  readonly namespaces: string;
}

/**
 * Objects that are applied together. One object stands for the set and remembers which kinds, and which other namespaces,
 * its members are of; members carry a label. What has the label and was not applied now is deleted.
 */
export class ApplySet {
  readonly #session: Session;
  readonly #flags: SetFlags;
  readonly #parent: Parent;
  readonly #keys: SetKeys;
  readonly #id: string;
  readonly #writes: ObjectWrites;
  readonly #resources: ServedResources;
  /** What the set held before, by `deployments.apps`, and where. */
  readonly #kindsBefore: ReadonlySet<string>;
  readonly #namespacesBefore: ReadonlySet<string>;
  readonly #objects: readonly SelectedObject[];

  private constructor(
    session: Session,
    flags: SetFlags,
    parts: { parent: Parent; keys: SetKeys; writes: ObjectWrites; resources: ServedResources },
    found: AnyObject | undefined,
    objects: readonly SelectedObject[],
  ) {
    this.#session = session;
    this.#flags = flags;
    this.#parent = parts.parent;
    this.#keys = parts.keys;
    this.#writes = parts.writes;
    this.#resources = parts.resources;
    this.#objects = objects;
    this.#id = setId(parts.parent);
    const annotations: Readonly<Record<string, string>> = found?.metadata.annotations ?? {};
    this.#kindsBefore = wordsIn(annotations[parts.keys.contains]);
    this.#namespacesBefore = wordsIn(annotations[parts.keys.namespaces]);
  }

  /** Finds the set, or begins it, and has it remember all kinds before the first object is written. */
  static async open(session: Session, flags: SetFlags, objects: readonly SelectedObject[]): Promise<ApplySet> {
    const resources = await session.resources();
    const prefix = `applyset.${(await session.vocabulary()).domains.keys}/`;
    const keys = {
      id: `${prefix}id`,
      partOf: `${prefix}part-of`,
      tooling: `${prefix}tooling`,
      contains: `${prefix}contains-group-kinds`,
      namespaces: `${prefix}additional-namespaces`,
    };
    const [type, named] = (flags.applyset ?? '').split('/');
    const resource = resources.named(named === undefined ? 'secrets' : (type ?? ''));
    const name = named ?? type ?? '';
    const namespace = resource.namespaced ? (await session.namespace()).name : '';
    const writes = await ObjectWrites.of(session, { fieldManager: 'platformctl-applyset', dryRun: flags.dryRun });
    const parent = { resource, namespace, name };
    const found = await writes.find({ kind: resource, namespace, name });
    const tooling = found?.metadata.annotations?.[keys.tooling];
    if (tooling !== undefined && tooling !== TOOLING) {
      throw new CommandError(`the set ${flags.applyset} is managed by ${tooling}, and is left alone`);
    }
    const set = new ApplySet(session, flags, { parent, keys, writes, resources }, found, objects);
    await set.#remember(
      new Set([...set.#kindsBefore, ...set.#kindsNow()]),
      new Set([...set.#namespacesBefore, ...set.#namespacesNow()]),
    );
    return set;
  }

  /** The document, as a member of the set. */
  member(document: ManifestObject): ManifestObject {
    const labels = { ...document.metadata.labels, [this.#keys.partOf]: this.#id };
    return { ...document, metadata: { ...document.metadata, labels } };
  }

  /** Deletes members that were not written now; then the set remembers what it holds now alone. */
  async prune(written: readonly Written[]): Promise<void> {
    const client = await this.#session.client();
    const kept = new Set(written.map(({ object }) => (object as AnyObject).metadata.uid));
    const namespaces = new Set([this.#parent.namespace, ...this.#namespacesBefore, ...this.#namespacesNow()]);
    for (const kind of new Set([...this.#kindsBefore, ...this.#kindsNow()])) {
      const resource = this.#resources.preferred().find((one) => groupKind(one) === kind);
      if (!resource) throw new CommandError(`the set holds objects of ${kind}, which the plane does not serve`);
      for (const namespace of resource.namespaced ? namespaces : ['']) {
        const labelSelector = `${this.#keys.partOf}=${this.#id}`;
        for await (const object of allOf(client, resource, namespace, { labelSelector })) {
          if (!kept.has(object.metadata.uid)) await pruneObject(this.#session, this.#flags, resource, object);
        }
      }
    }
    await this.#remember(this.#kindsNow(), this.#namespacesNow());
  }

  #kindsNow(): Set<string> {
    return new Set(this.#objects.map(({ resource }) => groupKind(resource)));
  }

  #namespacesNow(): Set<string> {
    const all = this.#objects.map(({ namespace }) => namespace);
    return new Set(all.filter((namespace) => namespace !== '' && namespace !== this.#parent.namespace));
  }

  async #remember(kinds: ReadonlySet<string>, namespaces: ReadonlySet<string>): Promise<void> {
    if (this.#flags.dryRun !== 'none') return;
    const { resource: kind, namespace, name } = this.#parent;
    const document = {
      kind: kind.kind,
      apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`,
      metadata: {
        name,
        ...(namespace === '' ? {} : { namespace }),
        labels: { [this.#keys.id]: this.#id },
        annotations: {
          [this.#keys.tooling]: TOOLING,
          [this.#keys.contains]: [...kinds].sort().join(','),
          [this.#keys.namespaces]: [...namespaces].sort().join(','),
        },
      },
    };
    await this.#writes.apply({ kind, namespace, name }, document, false);
  }
}

const groupKind = ({ kind, group }: ServedResource): string => (group === '' ? kind : `${kind}.${group}`);

const wordsIn = (text = ''): Set<string> => new Set(text.split(',').filter((word) => word !== ''));

/** Told from all other sets by where the object is that stands for it. */
function setId({ resource: { kind, group }, namespace, name }: Parent): string {
  const digest = createHash('sha256').update(`${name}.${namespace}.${kind}.${group}`).digest('base64url');
  return `applyset-${digest}-v1`;
}
