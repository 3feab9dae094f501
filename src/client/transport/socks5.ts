import { isIP, type Socket } from 'node:net';
import { SocketReader } from './proxy-tunnel.ts';

const VERSION = 5;
const NO_CREDENTIALS = 0;
const USERNAME_AND_PASSWORD = 2;
const CONNECT = 1;
const [ADDRESS_V4, NAME, ADDRESS_V6] = [1, 3, 4];

/** Why a proxy refuses (RFC 1928, 6). */
const REPLIES: Readonly<Record<number, string>> = {
  1: 'general failure',
  2: 'not allowed by its rules',
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused',
  6: 'time to live expired',
  7: 'command not supported',
  8: 'address type not supported',
};

/** Has a SOCKS proxy (RFC 1928, RFC 1929) join a connection to another place. Names are looked up by the proxy. */
export async function tunnelBySocks(socket: Socket, proxy: URL, host: string, port: string): Promise<void> {
  const reader = new SocketReader(socket);
  const methods = proxy.username === '' ? [NO_CREDENTIALS] : [NO_CREDENTIALS, USERNAME_AND_PASSWORD];
  socket.write(Buffer.from([VERSION, methods.length, ...methods]));
  const [version, method = 255] = await reader.exactly(2);
  if (version !== VERSION || !methods.includes(method))
    throw new Error(`the proxy ${proxy.host} wants other credentials`);
  if (method === USERNAME_AND_PASSWORD) await authenticate(socket, reader, proxy);
  socket.write(Buffer.concat([Buffer.from([VERSION, CONNECT, 0]), addressOf(host), Buffer.from(portBytes(port))]));
  const [, reply = 1, , addressType] = await reader.exactly(4);
  if (reply !== 0) throw new Error(`the proxy ${proxy.host} refuses: ${REPLIES[reply] ?? `reply ${reply}`}`);
  // The address that the proxy itself connects from, which nobody needs.
  const length = addressType === ADDRESS_V4 ? 4 : addressType === ADDRESS_V6 ? 16 : ((await reader.exactly(1))[0] ?? 0);
  await reader.exactly(length + 2);
  reader.release();
}

async function authenticate(socket: Socket, reader: SocketReader, proxy: URL): Promise<void> {
  const texts = [proxy.username, proxy.password].map((text) => Buffer.from(decodeURIComponent(text)));
  if (texts.some(({ length }) => length > 255))
    throw new Error(`the credentials of the proxy ${proxy.host} are too long`);
  socket.write(Buffer.concat([Buffer.of(1), ...texts.flatMap((text) => [Buffer.of(text.length), text])]));
  const [, outcome] = await reader.exactly(2);
  if (outcome !== 0) throw new Error(`the proxy ${proxy.host} does not accept the credentials`);
}

function addressOf(host: string): Buffer {
  if (isIP(host) === 4) return Buffer.from([ADDRESS_V4, ...host.split('.').map(Number)]);
  if (isIP(host) === 6) return Buffer.from([ADDRESS_V6, ...bytesOfV6(host)]);
  const name = Buffer.from(host);
  if (name.length > 255) throw new Error('the name of the server is too long for a proxy');
  return Buffer.concat([Buffer.from([NAME, name.length]), name]);
}

/** An address of version 6 as URLs spell it, which have no dotted part. */
function bytesOfV6(host: string): number[] {
  const [front = '', back] = host.split('::');
  const wordsOf = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16));
  const [first, last] = [wordsOf(front), wordsOf(back ?? '')];
  const middle = new Array<number>(8 - first.length - last.length).fill(0);
  return [...first, ...middle, ...last].flatMap((word) => [word >> 8, word & 255]);
}

const portBytes = (port: string): number[] => [Number(port) >> 8, Number(port) & 255];
