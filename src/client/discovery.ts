import type { APIGroup, APIGroupList, APIResourceList, APIVersions } from '../meta/discovery.ts';
import { isRefusal, type PlaneClient } from './plane-client.ts';
import { apiVersionOfKind, type ResourceName, type ServedKind } from './served-kind.ts';

/** Documents that are fetched at the same time. */
const AT_ONCE = 8;

/** What a plane serves at one moment. */
export class Discovered {
  /** By group and plural, in the preferred version. */
  readonly #preferred = new Map<string, ServedKind>();
  /** By version and kind, as objects say what they are. */
  readonly #named = new Map<string, ServedKind>();
  /** What could not be asked, such as groups of another server that is away. */
  readonly failures: ReadonlyMap<string, unknown>;

  /** The kinds in the order of preference of their versions. */
  constructor(kinds: Iterable<ServedKind>, failures: ReadonlyMap<string, unknown> = new Map()) {
    this.failures = failures;
    for (const kind of kinds) {
      const key = keyOf(kind);
      const preferred = this.#preferred.get(key) ?? kind;
      this.#preferred.set(key, preferred);
      this.#named.set(`${apiVersionOfKind(kind)} ${kind.kind}`, preferred);
    }
  }

  /** What is stored: reviews and what is made when it is asked for cannot be listed and deleted. */
  all(): Iterable<ServedKind> {
    return [...this.#preferred.values()].filter(({ verbs }) => verbs.includes('list') && verbs.includes('delete'));
  }

  find(resource: ResourceName): ServedKind | undefined {
    return this.#preferred.get(keyOf(resource));
  }

  named(apiVersion: string, kind: string): ServedKind | undefined {
    return this.#named.get(`${apiVersion} ${kind}`);
  }

  /** Equal for what is served alike. */
  get text(): string {
    return JSON.stringify([[...this.#preferred.values()], [...this.#named.keys()]]);
  }
}

const keyOf = ({ group, plural }: ResourceName): string => `${group}/${plural}`;

/**
 * Asks a plane what it serves. A version of a group that cannot be asked is served as it was before, if that is known:
 * kinds do not go because a server behind the plane is away for a moment.
 */
export async function discover(
  client: PlaneClient,
  before?: ReadonlyMap<string, readonly ServedKind[]>,
): Promise<{
  readonly discovered: Discovered;
  readonly byVersion: ReadonlyMap<string, readonly ServedKind[]>;
}> {
  const [core, { groups }] = await Promise.all([
    client.document<APIVersions>('/api'),
    client.document<APIGroupList>('/apis'),
  ]);
  const asked = [
    ...(core.versions ?? []).map((version) => ({ group: '', version })),
    ...(groups ?? []).flatMap(versionsOf),
  ];
  const byVersion = new Map<string, readonly ServedKind[]>(asked.map((one) => [apiVersionOfKind(one), []]));
  const failures = new Map<string, unknown>();
  const ask = async (one: { readonly group: string; readonly version: string }): Promise<void> => {
    const apiVersion = apiVersionOfKind(one);
    try {
      const path = one.group === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
      byVersion.set(apiVersion, kindsIn(await client.document<APIResourceList>(path), one));
    } catch (error) {
      // It has gone since the groups were read.
      if (isRefusal(error, 'NotFound')) return;
      failures.set(apiVersion, error);
      byVersion.set(apiVersion, before?.get(apiVersion) ?? []);
    }
  };
  for (let from = 0; from < asked.length; from += AT_ONCE) {
    await Promise.all(asked.slice(from, from + AT_ONCE).map(ask));
  }
  return { discovered: new Discovered([...byVersion.values()].flat(), failures), byVersion };
}

/** The preferred one first. */
function versionsOf({ name, versions, preferredVersion }: APIGroup): { group: string; version: string }[] {
  const first = preferredVersion?.version;
  const others = (versions ?? []).map(({ version }) => version).filter((version) => version !== first);
  return [...(first === undefined ? [] : [first]), ...others].map((version) => ({ group: name, version }));
}

/** Without what is below objects. */
export const kindsIn = (
  { resources }: APIResourceList,
  { group, version }: { group: string; version: string },
): ServedKind[] =>
  (resources ?? [])
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, kind, namespaced, verbs }) => ({
      group,
      version,
      plural: name,
      kind,
      namespaced,
      verbs: verbs ?? [],
    }));
