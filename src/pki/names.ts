import { ascii, implicit, oid, sequence, set, utf8String } from './der.ts';

const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';

/** Who a certificate speaks for: as a client, the user's name and groups. */
export interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

/** The subject as a Name in DER, one attribute a level, organizations first. */
export const distinguishedName = ({ commonName, organizations = [] }: Subject): Buffer =>
  sequence(...organizations.map((name) => attribute(ORGANIZATION, name)), attribute(COMMON_NAME, commonName));

const attribute = (type: string, value: string): Buffer => set(sequence(oid(type), utf8String(value)));

/** The other names a certificate is valid for. */
export interface AlternativeNames {
  readonly dns?: readonly string[];
  readonly ip?: readonly string[];
  readonly email?: readonly string[];
  readonly uri?: readonly string[];
}

/** The value of the subject alternative name extension; undefined when there are no names. */
export function alternativeNamesValue({ dns, ip, email, uri }: AlternativeNames): Buffer | undefined {
  const names = [
    ...(email ?? []).map((name) => implicit(1, ascii(name))),
    ...(dns ?? []).map((name) => implicit(2, ascii(name))),
    ...(uri ?? []).map((name) => implicit(6, ascii(name))),
    ...(ip ?? []).map((address) => implicit(7, addressBytes(address))),
  ];
  return names.length === 0 ? undefined : sequence(...names);
}

/** Sorts hosts into names and addresses, each once; a zone (`%eth0`) has no meaning to a peer and is dropped. */
export function namesOfHosts(hosts: readonly string[]): Required<Pick<AlternativeNames, 'dns' | 'ip'>> {
  const plain = [...new Set(hosts.map((host) => (host.includes(':') ? host.replace(/%.*/, '') : host)))];
  return { dns: plain.filter((host) => !looksLikeAddress(host)), ip: plain.filter(looksLikeAddress) };
}

/** No DNS name has a colon or is all digits. (`isIP` of `node:net` takes milliseconds when it is first called.) */
const looksLikeAddress = (host: string): boolean => host.includes(':') || /^[\d.]+$/.test(host);

/** An IP address in network order: 4 or 16 bytes. */
export function addressBytes(address: string): Buffer {
  const bytes = address.includes(':') ? sixteenBytes(address) : fourBytes(address);
  if (bytes === undefined) throw new Error(`"${address}" is not an IP address`);
  return bytes;
}

function fourBytes(address: string): Buffer | undefined {
  const parts = address.split('.');
  const valid = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256);
  return valid ? Buffer.from(parts.map(Number)) : undefined;
}

function sixteenBytes(address: string): Buffer | undefined {
  const url = `http://[${address}]`;
  if (!URL.canParse(url)) return undefined;
  // The URL parser brings every spelling, dotted tails included, to hexadecimal groups with at most one gap.
  const [before = '', after] = new URL(url).hostname.slice(1, -1).split('::');
  const head = groups(before);
  const tail = groups(after ?? '');
  const gap = Array<number>(8 - head.length - tail.length).fill(0);
  return Buffer.from([...head, ...gap, ...tail].flatMap((group) => [group >> 8, group & 0xff]));
}

const groups = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
