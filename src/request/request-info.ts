/** What a request asks for, read from its method, path and query alone. */
export interface RequestInfo {
  /** False for paths outside /api/<version> and /apis/<group>/<version>: health, discovery, metrics. */
  readonly resourceRequest: boolean;
  /** The path as sent, without the query. */
  readonly path: string;
  /** create, get, list, watch, update, patch, delete, deletecollection; the lower-case method for other paths. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** What follows the subresource, decoded segment by segment; empty ones are kept, but for one at the end. */
  readonly rest: readonly string[];
  readonly query: Query;
}

/** A parsed query. Keys may repeat; `get` gives the first value. */
export interface Query {
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string): boolean;
}

const NONE: readonly string[] = [];
const NO_QUERY: Query = { get: () => null, getAll: () => [], has: () => false };

const ITEM_VERBS: ReadonlyMap<string, string> = new Map([
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['POST', 'create'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** Subresources of a namespace itself; anything else below /namespaces/<name>/ is a resource inside it. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/** A switch of the query: whatever it is set to turns it on, but for `false` and `0`. */
export const isTrue = (value: string | null): boolean =>
  value !== null && value !== '0' && value.toLowerCase() !== 'false';

/** Segments of a path, decoded one by one, so that an encoded slash stays inside its segment. Undefined: not decodable. */
function segmentsOf(path: string): string[] | undefined {
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  if (end <= 1) return [];
  // Not by `split`, which takes five times as long for a text that it has not seen before.
  const parts: string[] = [];
  let start = 1;
  for (let slash = path.indexOf('/', start); slash >= 0 && slash < end; slash = path.indexOf('/', start)) {
    parts.push(path.slice(start, slash));
    start = slash + 1;
  }
  parts.push(path.slice(start, end));
  if (!path.includes('%')) return parts;
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

const plainInfo = (method: string, path: string, query: Query): RequestInfo => ({
  resourceRequest: false,
  path,
  verb: method.toLowerCase(),
  group: '',
  version: '',
  namespace: '',
  resource: '',
  subresource: '',
  name: '',
  rest: NONE,
  query,
});

/** Reads a request target. Never fails: what is no resource path is a plain path, and leads to 404 if nothing is there. */
export function readRequestInfo(method: string, target: string): RequestInfo {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 || mark === target.length - 1 ? NO_QUERY : new URLSearchParams(target.slice(mark + 1));
  const segments = segmentsOf(path);
  if (!segments) return plainInfo(method, path, query);
  const [prefix, first] = segments;
  if (first === '') return plainInfo(method, path, query);
  if (prefix === 'api' && segments.length >= 3) return resourceInfo(method, path, query, '', segments, 1);
  if (prefix === 'apis' && segments.length >= 4) {
    return resourceInfo(method, path, query, first ?? '', segments, 2);
  }
  return plainInfo(method, path, query);
}

/** `from`: where among the segments the version stands. */
function resourceInfo(
  method: string,
  path: string,
  query: Query,
  group: string,
  segments: readonly string[],
  from: number,
): RequestInfo {
  const { length } = segments;
  const version = segments[from] ?? '';
  let at = from + 1;
  let prefixVerb = '';
  if (segments[at] === 'watch' && length > at + 1) {
    prefixVerb = 'watch';
    at++;
  }
  let namespace = '';
  if (segments[at] === 'namespaces' && length > at + 1) {
    namespace = segments[at + 1] ?? '';
    if (length > at + 2 && !NAMESPACE_SUBRESOURCES.has(segments[at + 2] ?? '')) at += 2;
  }
  const [resource, name, subresource] = [segments[at] ?? '', segments[at + 1] ?? '', segments[at + 2] ?? ''];
  const below = at + 3;
  for (let each = from; each < Math.min(below, length); each++) {
    if (segments[each] === '') return plainInfo(method, path, query);
  }
  const verb = prefixVerb || verbOf(method, name, subresource, query);
  return {
    resourceRequest: true,
    path,
    verb,
    group,
    version,
    namespace,
    resource,
    subresource,
    name: name || selectedName(verb, query),
    rest: length > below ? segments.slice(below) : NONE,
    query,
  };
}

function verbOf(method: string, name: string, subresource: string, query: Query): string {
  const verb = ITEM_VERBS.get(method) ?? method.toLowerCase();
  if (subresource !== '') return verb;
  if (verb === 'get' && isTrue(query.get('watch'))) return 'watch';
  if (name !== '') return verb;
  if (verb === 'get') return 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}

const SINGLE_NAME = /^metadata\.name==?([^,=!\\]+)$/;

/** A collection request that selects one name is authorized, and watched, by that name. */
function selectedName(verb: string, query: Query): string {
  if (verb !== 'list' && verb !== 'watch' && verb !== 'deletecollection') return '';
  const selector = query.get('fieldSelector');
  return (selector && SINGLE_NAME.exec(selector)?.[1]) || '';
}
