import { namedBits, oid, sequence } from './der.ts';

/** Bits of the key usage extension, under the words that certificate requests use. */
const KEY_USAGES = {
  signing: 0,
  'digital signature': 0,
  'content commitment': 1,
  'key encipherment': 2,
  'data encipherment': 3,
  'key agreement': 4,
  'cert sign': 5,
  'crl sign': 6,
  'encipher only': 7,
  'decipher only': 8,
} as const;

/** Identifiers of the extended key usage extension, under the words that certificate requests use. */
const EXTENDED_KEY_USAGES = {
  any: '2.5.29.37.0',
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  'ipsec end system': '1.3.6.1.5.5.7.3.5',
  'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
  'ipsec user': '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
  'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
  'netscape sgc': '2.16.840.1.113730.4.1',
} as const;

type KeyUsage = keyof typeof KEY_USAGES;
type ExtendedKeyUsage = keyof typeof EXTENDED_KEY_USAGES;

/** What a certificate may be used for. */
export type Usage = KeyUsage | ExtendedKeyUsage;

export const isUsage = (word: string): word is Usage => isKeyUsage(word) || isExtendedKeyUsage(word);

const isKeyUsage = (word: string): word is KeyUsage => Object.hasOwn(KEY_USAGES, word);
const isExtendedKeyUsage = (word: string): word is ExtendedKeyUsage => Object.hasOwn(EXTENDED_KEY_USAGES, word);

/** The value of the key usage extension; undefined when no usage is of that sort. */
export function keyUsageValue(usages: readonly Usage[]): Buffer | undefined {
  const bits = usages.filter(isKeyUsage).map((word) => KEY_USAGES[word]);
  return bits.length === 0 ? undefined : namedBits(bits);
}

/** The value of the extended key usage extension; undefined when no usage is of that sort. */
export function extendedKeyUsageValue(usages: readonly Usage[]): Buffer | undefined {
  const ids = new Set(usages.filter(isExtendedKeyUsage).map((word) => EXTENDED_KEY_USAGES[word]));
  return ids.size === 0 ? undefined : sequence(...[...ids].map(oid));
}
