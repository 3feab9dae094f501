import type { HttpRequest } from '../../http/message.ts';

/** What concerns one connection, not the message (RFC 9110, 7.6.1). */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What the server says anew to whom it passes a request on. */
const REPLACED: ReadonlySet<string> = new Set([
  'expect',
  'host',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-uri',
]);

/** Whom a browser may tell what it got here is for this server to say; so is the id of the request. */
const UNTOLD = /^(access-control-|audit-id$)/;

/** What an answer can say once, and HTTP/2 does not send twice: the first counts. */
const SAID_ONCE: ReadonlySet<string> = new Set([
  'age',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
  'tk',
  'x-content-type-options',
]);

/** Headers that say who asks, in lower case. They are for this server alone. */
export interface Secrets {
  readonly names: ReadonlySet<string>;
  readonly prefixes: readonly string[];
  /** How the protocols begin that a WebSocket client hides its token in. */
  readonly tokenProtocol: string;
}

type Pairs = Generator<[name: string, value: string, lower: string]>;

function* pairsOf(raw: readonly string[]): Pairs {
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    yield [name, value, name.toLowerCase()];
  }
}

/** Headers that a message itself ties to its connection. */
function namedByConnection(raw: readonly string[]): ReadonlySet<string> {
  const named = new Set<string>();
  for (const [, value, lower] of pairsOf(raw)) {
    if (lower === 'connection') for (const name of value.split(',')) named.add(name.trim().toLowerCase());
  }
  return named;
}

/** The headers of a request that travel on, names and values in turn: none that says who asks, none of its connection. */
export function headersOnward({ rawHeaders }: HttpRequest, secrets: Secrets): string[] {
  const tied = namedByConnection(rawHeaders);
  const kept: string[] = [];
  for (const [name, value, lower] of pairsOf(rawHeaders)) {
    const isSecret = secrets.names.has(lower) || secrets.prefixes.some((prefix) => lower.startsWith(prefix));
    if (isSecret || lower.startsWith(':') || CONNECTION_HEADERS.has(lower) || REPLACED.has(lower) || tied.has(lower))
      continue;
    const told = lower === 'sec-websocket-protocol' ? withoutTokens(value, secrets.tokenProtocol) : value;
    if (told !== '' || value === '') kept.push(name, told);
  }
  return kept;
}

const withoutTokens = (protocols: string, token: string): string =>
  protocols
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => !protocol.startsWith(token))
    .join(', ');

/** The headers of an answer that travel back. `onLocation` sees where a redirect leads. */
export function headersBack(rawHeaders: readonly string[], onLocation: (location: string) => string): string[] {
  const tied = namedByConnection(rawHeaders);
  const said = new Set<string>();
  const kept: string[] = [];
  for (const [name, value, lower] of pairsOf(rawHeaders)) {
    if (CONNECTION_HEADERS.has(lower) || tied.has(lower) || UNTOLD.test(lower) || said.has(lower)) continue;
    if (SAID_ONCE.has(lower)) said.add(lower);
    kept.push(name, lower === 'location' ? onLocation(value) : value);
  }
  return kept;
}
