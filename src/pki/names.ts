import { ascii, contextTag, implicit, oid, sequence, set, TAG, utf8String } from './der.ts';
import { readConstructed } from './der-reader.ts';

export const COMMON_NAME = '2.5.4.3';
export const ORGANIZATION = '2.5.4.10';

/** Who a certificate speaks for: as a client, the user's name and groups. */
export interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

/** The subject as a Name in DER, one attribute a level, organizations first. */
export const distinguishedName = ({ commonName, organizations = [] }: Subject): Buffer =>
  sequence(...organizations.map((name) => attribute(ORGANIZATION, name)), attribute(COMMON_NAME, commonName));

/** One level of a Name: an attribute by its object identifier. */
export const attribute = (type: string, value: string): Buffer => set(sequence(oid(type), utf8String(value)));

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

const [EMAIL_TAG, DNS_TAG, URI_TAG, ADDRESS_TAG] = [1, 2, 6, 7].map((number) => contextTag(number, false));

/** Reads such a value. Names of other sorts are left out. Throws when it is none, or a name is not what its sort says. */
export function readAlternativeNames(value: Buffer): Required<AlternativeNames> {
  const names = readConstructed(value, TAG.sequence);
  const of = (wanted: number | undefined, read: (content: Buffer) => string): string[] =>
    names.filter(({ tag }) => tag === wanted).map(({ content }) => read(content));
  return {
    dns: of(DNS_TAG, asciiText),
    ip: of(ADDRESS_TAG, addressText),
    email: of(EMAIL_TAG, asciiText),
    uri: of(URI_TAG, asciiText),
  };
}

function asciiText(content: Buffer): string {
  const text = content.toString('latin1');
  ascii(text);
  return text;
}

/** Addresses of six are written with all their groups. */
function addressText(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) throw new Error(`an IP address has 4 or 16 bytes, not ${bytes.length}`);
  return Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16)).join(':');
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
