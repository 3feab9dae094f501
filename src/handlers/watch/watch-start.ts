import { badRequest, invalid } from '../../api/errors.ts';
import type { Selection } from '../../registry/facets.ts';
import { namespacePrefix } from '../../registry/keys.ts';
import type { Objects } from '../../registry/objects.ts';
import { parseRevision } from '../../registry/read.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import { isTrue, type Query } from '../../request/request-info.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Problems } from '../../schema/problems.ts';
import type { Entries } from '../../storage/log/entries.ts';

/** Where a watch begins. */
export interface WatchStart {
  /** Changes after this revision are told. */
  readonly revision: number;
  /** Objects that are told of first, as of that revision; undefined when there are none. */
  readonly initial: Entries | undefined;
  /** Whether the client wants to know when it has been told of all of them. */
  readonly marked: boolean;
}

/** What of a type is watched. */
export interface Watched {
  readonly type: ResourceType;
  /** One object, one namespace, or '' for the whole collection. */
  readonly scope: string;
  readonly selection: Selection | undefined;
}

export function scopeOf(type: ResourceType, namespace: string, name: string): string {
  const prefix = namespacePrefix(type, namespace);
  return name !== '' && (prefix !== '' || !type.namespaced) ? `${prefix}${name}` : prefix;
}

/**
 * Without a version, or from `0`, a watch begins with what is there; from a version it begins right after it. With
 * `sendInitialEvents` the client says itself which of the two it wants, and a version is how new at least that is.
 */
export async function startOf(objects: Objects, watched: Watched, query: Query): Promise<WatchStart> {
  const resourceVersion = query.get('resourceVersion') ?? '';
  const unversioned = resourceVersion === '' || resourceVersion === '0';
  const asked = query.has('sendInitialEvents');
  const withState = asked ? isTrue(query.get('sendInitialEvents')) : unversioned;
  if (!withState && !unversioned)
    return { revision: parseRevision(resourceVersion), initial: undefined, marked: false };
  await objects.catchUp(resourceVersion);
  const marked = asked && withState && isTrue(query.get('allowWatchBookmarks'));
  const { type, scope, selection } = watched;
  return {
    revision: objects.revision,
    initial: withState ? objects.entries(type, scope, selection) : undefined,
    marked,
  };
}

/** How lists match versions makes no sense for a watch, but for one that begins with a list. */
export function refuseWatchOptions(query: Query, metaGroup: string): void {
  const match = query.get('resourceVersionMatch') ?? '';
  const problems = new Problems();
  const field = 'resourceVersionMatch';
  if (query.has('sendInitialEvents')) {
    if (match !== 'NotOlderThan')
      problems.forbidden(field, 'sendInitialEvents needs resourceVersionMatch NotOlderThan');
    if (match !== '' && match !== 'NotOlderThan') problems.notSupported(field, match, ['NotOlderThan']);
    if (match !== '' && query.get('continue'))
      problems.forbidden(field, `${field} is forbidden when continue is provided`);
  } else if (match !== '') {
    problems.forbidden(field, `${field} is forbidden for watch unless sendInitialEvents is provided`);
  }
  if (problems.found.length > 0) throw invalid(metaGroup, 'ListOptions', '', problems.found);
}

/** The longest that timers can wait, some 24 days. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Milliseconds after which a watch ends. One without a timeout of its own ends somewhere between the least time and twice
 * that, so that clients spread over servers; after whole seconds, because timers that wait equally long share what they
 * are kept in.
 */
export function timeoutOf(query: Query, runtime: Runtime, leastSeconds: number): number {
  const text = query.get('timeoutSeconds') ?? '';
  if (!/^-?\d*$/.test(text)) throw badRequest(`timeoutSeconds: ${JSON.stringify(text)} is not a number`);
  const seconds = Number(text);
  const lasting = seconds > 0 ? seconds : Math.round(leastSeconds * (1 + runtime.random()));
  return Math.min(lasting * 1000, LONGEST_MS);
}
