import { BlockList, isIP } from 'node:net';

export type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:', 'socks5h:']);

/**
 * The proxy that the environment names for a server, by the rules that programs in Go follow: HTTPS_PROXY or HTTP_PROXY by
 * the server's scheme, none for this machine itself nor for what NO_PROXY lists.
 */
export function proxyByEnvironment(server: URL, environment: Environment): URL | undefined {
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = namedBy(environment, name);
  if (proxy === '' || isExempt(server, namedBy(environment, 'NO_PROXY'))) return undefined;
  return readProxy(proxy.includes('://') ? proxy : `http://${proxy}`, name);
}

/** Reads the address of a proxy. Throws a line that begins with where it stands, without secrets that are in it. */
export function readProxy(text: string, where: string): URL {
  if (!URL.canParse(text)) throw new Error(`${where}: not a URL`);
  const proxy = new URL(text);
  if (!SCHEMES.has(proxy.protocol)) {
    throw new Error(`${where}: ${proxy.protocol} proxies are not supported; http, https and socks5 are`);
  }
  if (proxy.hostname === '') throw new Error(`${where}: names no host`);
  return proxy;
}

const namedBy = (environment: Environment, name: string): string =>
  environment[name] || environment[name.toLowerCase()] || '';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();

export const portOf = ({ port, protocol }: URL): string => port || (DEFAULT_PORTS[protocol] ?? '');

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether a server is on this machine, as far as its address says. */
export function isLoopback(server: URL): boolean {
  const host = hostOf(server);
  return host === 'localhost' || (isIP(host) !== 0 && LOOPBACK.check(host, familyOf(host)));
}

function isExempt(server: URL, list: string): boolean {
  if (isLoopback(server)) return true;
  const [host, port] = [hostOf(server), portOf(server)];
  return list
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && matches(entry, host, port));
}

/** One entry of NO_PROXY: `*`, a network, an address or a name, the latter two with a port or without. */
function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInNetwork(entry, host);
  const { name, wanted } = splitPort(entry);
  if (wanted !== '' && wanted !== port) return false;
  if (isIP(name) !== 0) return isIP(host) !== 0 && listOf(name).check(host, familyOf(host));
  // `.name` and `*.name` stand for what is below the name alone.
  const below = name.replace(/^\*\./, '.');
  if (below.startsWith('.')) return below !== '.' && host.endsWith(below);
  return name !== '' && (host === name || host.endsWith(`.${name}`));
}

function splitPort(entry: string): { readonly name: string; readonly wanted: string } {
  if (isIP(entry) !== 0) return { name: entry, wanted: '' };
  const [, name = entry, wanted = ''] = /^(.*):(\d{1,5})$/.exec(entry) ?? [];
  return { name: name.replace(/^\[(.*)\]$/, '$1'), wanted };
}

function listOf(address: string): BlockList {
  const list = new BlockList();
  list.addAddress(address, familyOf(address));
  return list;
}

function isInNetwork(entry: string, host: string): boolean {
  const [address = '', prefix = ''] = entry.split('/');
  const longest = isIP(address) === 6 ? 128 : 32;
  if (isIP(host) === 0 || isIP(address) === 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > longest) return false;
  const network = new BlockList();
  network.addSubnet(address, Number(prefix), familyOf(address));
  return network.check(host, familyOf(host));
}
