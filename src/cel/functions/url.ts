/** A URL with a scheme, or a path from the root on. */
export interface Url {
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly path: string;
  readonly query: string;
}

const LONGEST = 64 * 1024;
const SCHEME = /^[a-zA-Z][a-zA-Z0-9+.-]*:/;
const CONTROL = /\p{Cc}/u;
const PORT = /^(?:\d{0,5})$/;
const HOST = /^(?:[a-zA-Z0-9\-._~!$&'()*+,;=:]|%[0-9a-fA-F]{2}|\P{ASCII})*$/u;
const BRACKETED = /^\[[0-9a-fA-F:.]+(?:%25[^\]]*)?\]$/;

/** Undefined for what is no such URL. A fragment is not told apart from what it follows. */
export function parseUrl(text: string): Url | undefined {
  if (text === '' || text.length > LONGEST || CONTROL.test(text) || hasBadEscape(text)) return undefined;
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length);
  if (!rest.startsWith('/')) return undefined;
  const isAuthority = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'));
  const pathStart = isAuthority ? firstOf(rest, 2) : 0;
  const authority = isAuthority ? readAuthority(rest.slice(2, pathStart)) : NO_AUTHORITY;
  if (!authority) return undefined;
  const question = rest.indexOf('?', pathStart);
  const pathEnd = question < 0 ? rest.length : question;
  return {
    text,
    scheme: scheme.slice(0, -1).toLowerCase(),
    ...authority,
    path: escapedPath(rest.slice(pathStart, pathEnd)),
    query: question < 0 ? '' : rest.slice(question + 1),
  };
}

/** Where the path or the query begins after the authority. */
function firstOf(rest: string, from: number): number {
  for (let at = from; at < rest.length; at++) {
    const character = rest.charAt(at);
    if (character === '/' || character === '?') return at;
  }
  return rest.length;
}

type Authority = Pick<Url, 'host' | 'hostname' | 'port'>;
const NO_AUTHORITY: Authority = { host: '', hostname: '', port: '' };

function readAuthority(text: string): Authority | undefined {
  const host = text.slice(text.lastIndexOf('@') + 1);
  const bracket = host.lastIndexOf(']');
  const colon = host.indexOf(':', bracket + 1);
  const name = colon < 0 ? host : host.slice(0, colon);
  const port = colon < 0 ? '' : host.slice(colon + 1);
  if (!PORT.test(port)) return undefined;
  if (name.startsWith('[')) {
    return BRACKETED.test(name) ? { host, hostname: name.slice(1, -1), port } : undefined;
  }
  return HOST.test(name) ? { host, hostname: name, port } : undefined;
}

const hasBadEscape = (text: string): boolean => /%(?![0-9a-fA-F]{2})/.test(text);

/** As it stands in a request: what is no character of a path is escaped, byte by byte. */
const escapedPath = (path: string): string =>
  path.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]+/g, (part) =>
    Array.from(Buffer.from(part, 'utf8'), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );

/** The parameters of a query, each with all of its values, as `a=1&a=2` has them. */
export function queryOf(url: Url): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const pair of url.query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const key = decoded(equals < 0 ? pair : pair.slice(0, equals));
    const value = decoded(equals < 0 ? '' : pair.slice(equals + 1));
    if (key === undefined || value === undefined) continue;
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  return values;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
