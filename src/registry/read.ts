import { badRequest, continueExpired, expired, invalid, notFound, resourceVersionTooLarge } from '../api/errors.ts';
import { type Deadline, within } from '../runtime/deadline.ts';
import type { Rest } from '../runtime/pacing.ts';
import { Problems } from '../schema/problems.ts';
import type { Entries, View } from '../storage/log/entries.ts';
import type { Version } from '../storage/log/version.ts';
import { HistoryGone, type VersionLog } from '../storage/log/version-log.ts';
import { type ContinueToken, decodeContinue, encodeContinue } from './continue-token.ts';
import type { Selection } from './facets.ts';
import { namespacePrefix, objectKey } from './keys.ts';
import type { Prepare } from './prepared-entries.ts';
import { demandAllReadable, demandReadable } from './readable.ts';
import type { ResourceType } from './resource-type.ts';

/** How long a request waits for a version the server has not seen yet. */
const PATIENCE_MS = 3000;

/** Which version a read wants. `''` the most recent, `0` any, else not older than or exactly that one. */
export interface ReadOptions {
  readonly resourceVersion?: string;
  /** Nobody waits any more for the log to catch up once it is over. */
  readonly deadline?: Deadline | undefined;
}

export interface ListOptions extends ReadOptions {
  readonly resourceVersionMatch?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly selection?: Selection | undefined;
  /** Whether the client asked for what only a watch can give. */
  readonly sendInitialEvents?: boolean;
  /** Brings versions into the form that is selected from; they are as they are stored when absent. */
  readonly prepare?: Prepare | undefined;
  /** Awaited now and then while a selection is looked for among many objects. */
  readonly rest?: Rest | undefined;
}

/** A page of a list, as of one revision. */
export interface ListResult {
  readonly revision: number;
  readonly items: readonly Version[];
  /** '' when the list is complete. */
  readonly continue: string;
  /** Unknown when there is a selection. */
  readonly remaining: number | undefined;
  /** How many objects a selection was held against to find these; absent without one. */
  readonly looked?: number;
}

/** A version number as clients send it, or 400. */
export function parseRevision(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw badRequest(`invalid resource version ${JSON.stringify(text)}: a number is expected`);
  return Number(text);
}

/** Settles when the log holds what the read may not miss; undefined when it does already, which is usual. */
export function catchUp(log: VersionLog, resourceVersion: string): Promise<unknown> | undefined {
  if (resourceVersion === '') return log.caughtUp();
  return resourceVersion === '0' ? undefined : reach(log, parseRevision(resourceVersion));
}

export async function reach(log: VersionLog, revision: number): Promise<void> {
  if (revision <= log.revision) return;
  if (!(await log.waitFor(revision, PATIENCE_MS))) throw resourceVersionTooLarge(revision, log.revision);
}

export async function get(
  log: VersionLog,
  type: ResourceType,
  namespace: string,
  name: string,
  { resourceVersion = '', deadline }: ReadOptions = {},
): Promise<Version> {
  await within(deadline, catchUp(log, resourceVersion));
  demandReadable(log, type, namespace, name);
  const version = log.get(objectKey(type, namespace, name));
  if (!version) throw notFound({ group: type.group, resource: type.plural }, name);
  return version;
}

export async function list(
  log: VersionLog,
  metaGroup: string,
  type: ResourceType,
  namespace: string,
  options: ListOptions = {},
): Promise<ListResult> {
  refuseCombinations(metaGroup, options);
  const { limit = 0 } = options;
  const prefix = namespacePrefix(type, namespace);
  const token = options.continue ? decodeContinue(options.continue, prefix) : undefined;
  const revision = await listRevision(log, options, token);
  demandAllReadable(log, type, prefix);
  try {
    return await readPage(log, type, prefix, revision, limit, token, options);
  } catch (error) {
    if (!(error instanceof HistoryGone)) throw error;
    throw token ? tooOldToContinue(log, token) : expired('The resourceVersion for the provided list is too old.');
  }
}

/** A list that is read at leisure, as of one revision. */
export interface OpenList {
  readonly revision: number;
  readonly entries: Entries;
  /** The same entries once more, for another reader. */
  again(): Entries;
}

/** What it is read from: everything, as it is stored. */
export interface StoredList {
  readonly revision: number;
  readonly view: View;
}

/** Lists of more objects than this are not looked at in one go. */
const LONG_LIST = 5_000;

/**
 * Everything there is now of a collection, when that is much: a list of a page, of the past, or of few objects is for
 * `list`.
 */
export async function openLongList(
  log: VersionLog,
  metaGroup: string,
  type: ResourceType,
  namespace: string,
  options: ListOptions,
): Promise<StoredList | undefined> {
  const { resourceVersion = '', resourceVersionMatch, limit = 0, deadline } = options;
  if (limit > 0 || options.continue || resourceVersionMatch === 'Exact') return undefined;
  const prefix = namespacePrefix(type, namespace);
  if (log.count(type.collection, { prefix }) <= LONG_LIST) return undefined;
  refuseCombinations(metaGroup, options);
  await within(deadline, catchUp(log, resourceVersion));
  demandAllReadable(log, type, prefix);
  return { revision: log.revision, view: log.view(type.collection, prefix) };
}

/** The revision a list is read at. A continued list stays at that of its first page, unless that was given up. */
async function listRevision(log: VersionLog, options: ListOptions, token: ContinueToken | undefined): Promise<number> {
  const { resourceVersion = '', resourceVersionMatch, limit = 0, deadline } = options;
  if (token) {
    if (token.revision > 0) await within(deadline, reach(log, token.revision));
    if (token.revision > 0) return token.revision;
    return deadline ? deadline.within(log.current()) : log.current();
  }
  await within(deadline, catchUp(log, resourceVersion));
  const exact = resourceVersionMatch === 'Exact' || (!resourceVersionMatch && limit > 0);
  return exact && resourceVersion !== '' && resourceVersion !== '0' ? parseRevision(resourceVersion) : log.revision;
}

function refuseCombinations(metaGroup: string, options: ListOptions): void {
  const { resourceVersion = '' } = options;
  const problems = matchProblems(options);
  if (problems.found.length > 0) throw invalid(metaGroup, 'ListOptions', '', problems.found);
  if (options.continue && resourceVersion !== '' && resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
}

function matchProblems(options: ListOptions): Problems {
  const { resourceVersion = '', resourceVersionMatch = '' } = options;
  const problems = new Problems();
  if (options.sendInitialEvents) problems.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list');
  if (resourceVersionMatch === '') return problems;
  const field = 'resourceVersionMatch';
  if (options.continue) problems.forbidden(field, 'resourceVersionMatch is forbidden when continue is provided');
  if (resourceVersion === '')
    problems.forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (resourceVersionMatch !== 'Exact' && resourceVersionMatch !== 'NotOlderThan') {
    problems.notSupported(field, resourceVersionMatch, ['Exact', 'NotOlderThan']);
  } else if (resourceVersionMatch === 'Exact' && resourceVersion === '0') {
    problems.forbidden(field, 'resourceVersionMatch "Exact" is forbidden for resourceVersion "0"');
  }
  return problems;
}

async function readPage(
  log: VersionLog,
  type: ResourceType,
  prefix: string,
  revision: number,
  limit: number,
  token: ContinueToken | undefined,
  { selection, prepare, rest }: ListOptions,
): Promise<ListResult> {
  const scope = { prefix, revision };
  const from = token ? { ...scope, after: token.after } : scope;
  const wanted = limit > 0 ? limit + 1 : Number.POSITIVE_INFINITY;
  const { items, ...found } = selection
    ? await takeSelected(log, type, from, wanted, { selection, prepare, rest })
    : { items: await readAt(log, type, { ...from, limit: wanted }) };
  if (items.length < wanted) return { revision, items, continue: '', remaining: undefined, ...found };
  items.pop();
  const after = restOf(type, items[limit - 1]);
  const remaining = selection ? undefined : remainingAfter(log, type, from, token, limit);
  return { revision, items, continue: encodeContinue({ revision, after, prefix, remaining }), remaining, ...found };
}

/** The newest versions are in memory; older ones may have to be read from the store. */
function readAt(log: VersionLog, type: ResourceType, page: From & { readonly limit: number }): Promise<Version[]> {
  const versions = log.list(type.collection, page);
  return page.revision < log.revision ? log.fetch(versions) : Promise.resolve(versions);
}

/** Counted once, for the first page. The pages of a list are one snapshot, so from then on it is a subtraction. */
function remainingAfter(
  log: VersionLog,
  type: ResourceType,
  from: From,
  token: ContinueToken | undefined,
  limit: number,
): number {
  const known = token && token.revision > 0 ? token.remaining : undefined;
  return Math.max(0, (known ?? log.count(type.collection, from)) - limit);
}

const restOf = (type: ResourceType, version: Version | undefined): string =>
  (version?.key ?? '').slice(type.collection.length + 2);

interface From {
  readonly prefix: string;
  readonly revision: number;
  readonly after?: string;
}

type Selecting = Pick<ListOptions, 'prepare' | 'rest'> & { readonly selection: Selection };

/**
 * Reads on in pages until enough items are selected, so that a sparse selection never copies a whole collection, nor
 * keeps others waiting. A revision may be forgotten on the way, as between requests.
 */
async function takeSelected(
  log: VersionLog,
  type: ResourceType,
  from: From,
  wanted: number,
  { selection, prepare, rest }: Selecting,
): Promise<{ items: Version[]; looked: number }> {
  const items: Version[] = [];
  let looked = 0;
  let { after } = from;
  for (;;) {
    const page = await readAt(log, type, { ...from, ...(after === undefined ? {} : { after }), limit: 1000 });
    for (const version of (await prepare?.(page)) ?? page) {
      looked++;
      if (selection(version)) items.push(version);
      if (items.length === wanted) return { items, looked };
    }
    if (page.length < 1000) return { items, looked };
    after = restOf(type, page.at(-1));
    await rest?.();
  }
}

/** The token is too old, but the client is told how to read on without a consistent snapshot. */
const tooOldToContinue = (log: VersionLog, { after, prefix }: ContinueToken) =>
  continueExpired(
    'the continue token is too old for a consistent list: start again without it, or go on with the token of this ' +
      'answer and get what is there now, changes since the first page included',
    {
      continue: encodeContinue({ revision: -1, after, prefix, remaining: undefined }),
      resourceVersion: String(log.revision),
    },
  );
