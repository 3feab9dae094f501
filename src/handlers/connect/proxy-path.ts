import type { RequestInfo } from '../../request/request-info.ts';

/** A path of the server that leads on to one of another. */
export interface ProxyPath {
  /** What belongs to this server: everything up to and including the subresource. */
  readonly prefix: string;
  /** What the other server is asked for, as it was sent, but without dots and empty segments; '' when nothing follows. */
  readonly path: string;
}

/** Divides the path of a proxy request. A slash at the end is kept. */
export function proxyPath({ path, group, namespace }: RequestInfo): ProxyPath {
  const inGroup = group === '' ? ['api', 'version'] : ['apis', 'group', 'version'];
  const inNamespace = namespace === '' ? [] : ['namespaces', 'namespace'];
  const depth = 1 + inGroup.length + inNamespace.length + ['resource', 'name', 'subresource'].length;
  const segments = path.split('/');
  const rest = segments.slice(depth);
  const prefix = segments.slice(0, depth).join('/');
  if (rest.length === 0) return { prefix, path: '' };
  const kept = withoutDots(rest);
  const ending = kept.length > 0 && rest.at(-1) === '' ? '/' : '';
  return { prefix, path: `/${kept.join('/')}${ending}` };
}

function withoutDots(segments: readonly string[]): string[] {
  const kept: string[] = [];
  for (const segment of segments) {
    const plain = segment.replace(/%2e/gi, '.');
    if (plain === '..') kept.pop();
    else if (plain !== '' && plain !== '.') kept.push(segment);
  }
  return kept;
}

/** Where a redirect of the other server leads, seen from outside. Relative ones and those to third parties stay. */
export function rewriteLocation(location: string, authority: string, prefix: string): string {
  if (location.startsWith('/') && !location.startsWith('//')) return prefix + location;
  if (!URL.canParse(location)) return location;
  const { host, pathname, search, hash } = new URL(location);
  const hasUsualPort = !host.slice(host.lastIndexOf(']') + 1).includes(':');
  const isSame = host === authority || (hasUsualPort && [`${host}:80`, `${host}:443`].includes(authority));
  return isSame ? prefix + pathname + search + hash : location;
}
