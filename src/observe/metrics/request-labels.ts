import type { RequestInfo } from '../../request/request-info.ts';

/** Verbs and methods that change nothing. */
export const READ_VERBS: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'head', 'options']);

/** Verbs of resources and methods of other paths, as metrics spell them. */
const VERB_LABELS: ReadonlyMap<string, string> = new Map([
  ['get', 'GET'],
  ['head', 'HEAD'],
  ['options', 'OPTIONS'],
  ['list', 'LIST'],
  ['watch', 'WATCH'],
  ['create', 'POST'],
  ['post', 'POST'],
  ['update', 'PUT'],
  ['put', 'PUT'],
  ['patch', 'PATCH'],
  ['delete', 'DELETE'],
  ['deletecollection', 'DELETECOLLECTION'],
]);

const APPLY_TYPE = 'application/apply-patch+yaml';

/** Clients can send any method, so what is not known has one label. */
export function verbLabel(verb: string, contentType: string | undefined): string {
  if (verb === 'patch' && contentType?.startsWith(APPLY_TYPE)) return 'APPLY';
  return VERB_LABELS.get(verb) ?? 'OTHER';
}

/** '' for requests that take effect. */
export function dryRunOf({ verb, query }: RequestInfo): string {
  if (READ_VERBS.has(verb)) return '';
  const value = query.get('dryRun');
  if (value === null || value === '') return '';
  return value === 'All' ? value : 'invalid';
}

/** One object, one namespace, or the whole cluster; '' for paths that are no resources. */
export function scopeOf({ resourceRequest, name, namespace, verb }: RequestInfo): string {
  if (!resourceRequest) return '';
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}

const COUNTED_PATHS: ReadonlySet<string> = new Set([
  '/api',
  '/apis',
  '/healthz',
  '/livez',
  '/metrics',
  '/openapi',
  '/readyz',
  '/version',
]);

/** Paths that are no resources count by their first segment, unknown ones together. */
export function pathLabel(path: string): string {
  const slash = path.indexOf('/', 1);
  const root = slash < 0 ? path : path.slice(0, slash);
  return COUNTED_PATHS.has(root) ? root : '';
}
