import { parseUrl } from '../../../cel/functions/url.ts';
import { parseDuration, parseTimestamp } from '../../../cel/values/time.ts';
import { parseAddress, parseAddressRange } from '../../../meta/addresses.ts';

/** Whether a text is of the format. */
type Format = (text: string) => boolean;

const matching =
  (pattern: RegExp): Format =>
  (text) =>
    pattern.test(text);

/** No format but those of bytes and secrets has texts of more characters. */
const LONGEST = 64 * 1024;

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** `variant`: what the digit may be that follows the one of the version; absent: any. */
const uuidOf =
  (version: string, variant = ''): Format =>
  (text) => {
    const digits = UUID.test(text) ? text.replaceAll('-', '').toLowerCase() : '';
    return digits.charAt(12) === version && (variant === '' || variant.includes(digits.charAt(16)));
  };

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const isBase64: Format = (text) => text.length % 4 === 0 && BASE64.test(text);

const LABEL_EDGE = /^[\p{S}\p{L}\d]$/u;
const LABEL_INSIDE = /^[\p{S}\p{L}\d-]*$/u;
const LAST_LABEL = /^\p{L}{2,63}$/u;

function isHostLabel(label: string): boolean {
  const characters = [...label];
  if (characters.length === 0 || characters.length > 63 || !LABEL_INSIDE.test(label)) return false;
  return LABEL_EDGE.test(characters[0] ?? '') && LABEL_EDGE.test(characters.at(-1) ?? '');
}

/** Names of hosts, in any script. Of several labels the last has letters alone, so that no address is a name. */
function isHostname(text: string): boolean {
  if (text.length > 255) return false;
  const labels = text.split('.');
  return labels.every(isHostLabel) && (labels.length === 1 || LAST_LABEL.test(labels.at(-1) ?? ''));
}

const ADDRESSEE = /<([^<>]*)>\s*$/;
const ATOMS = /^[^\s@<>()[\]:;,\\".]+(?:\.[^\s@<>()[\]:;,\\".]+)*$/;
const QUOTED = /^"(?:[^"\\\r\n]|\\.)*"$/;
const LITERAL_DOMAIN = /^\[[^[\]\\\s]*\]$/;

/** An address as mail has it, with or without the name of whom it belongs to. */
function isEmail(text: string): boolean {
  const address = (ADDRESSEE.exec(text)?.[1] ?? text).trim();
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
  return (ATOMS.test(local) || QUOTED.test(local)) && (ATOMS.test(domain) || LITERAL_DOMAIN.test(domain));
}

const MAC = /^(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1)*[0-9a-f]{2}$/i;
const DOTTED_MAC = /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i;
const MAC_BYTES = [6, 8, 20];

function isMac(text: string): boolean {
  if (MAC.test(text)) return MAC_BYTES.includes((text.length + 1) / 3);
  return DOTTED_MAC.test(text) && MAC_BYTES.includes(((text.length + 1) / 5) * 2);
}

const WORDS =
  /^(?:ns|nano|nanosecond|nanoseconds|nanos|us|µs|μs|micro|micros|microsecond|microseconds|ms|milli|millis|millisecond|milliseconds|s|sec|secs|second|seconds|m|min|mins|minute|minutes|h|hr|hrs|hour|hours|d|day|days|w|wk|week|weeks)$/i;
const NUMBERS_AND_WORDS = /\d+|[A-Za-zµμ]+/g;
const WHOLE_NUMBER = /^\d+$/;

/** As programs write it (`1h30m`), or as people do (`3 days`). */
function isDuration(text: string): boolean {
  if (parseDuration(text) !== undefined) return true;
  if (text.length > LONGEST_NUMBERS) return false;
  const parts = text.match(NUMBERS_AND_WORDS) ?? [];
  const isNext = (part: string, at: number): boolean => (at % 2 === 0 ? WHOLE_NUMBER : WORDS).test(part);
  return parts.length > 0 && parts.length % 2 === 0 && parts.every(isNext);
}

/** Of texts that are numbers to people; with whatever they put between the digits. */
const LONGEST_NUMBERS = 1_024;

/** What is left of a text; nothing of one that is too long. */
const digitsOf = (text: string, between: RegExp): string =>
  text.length > LONGEST_NUMBERS ? '' : text.replaceAll(between, '');

/** Digits of which the last, which may be X for 10, makes the weighted sum a multiple. */
function isIsbn10(text: string): boolean {
  const digits = digitsOf(text, /[\s-]/g);
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, at) => total + (digit === 'X' ? 10 : Number(digit)) * (10 - at), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = digitsOf(text, /[\s-]/g);
  if (!/^\d{13}$/.test(digits)) return false;
  return [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

const CARD = /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|6\d{15}|3[4-9]\d{12}\d{0,2}|(?:2131|1800)\d{11})$/;

/** A number of one of the issuers, with the right check digit. */
function isCreditCard(text: string): boolean {
  const digits = digitsOf(text, /\D/g);
  if (!CARD.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const doubled = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

const RGB = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/;
const isRgb: Format = (text) =>
  RGB.exec(text)
    ?.slice(1)
    .every((part) => Number(part) <= 255) ?? false;

const isMoment: Format = (text) => parseTimestamp(text) !== undefined;

const SHORT: Readonly<Record<string, Format>> = {
  bsonobjectid: matching(/^[0-9a-f]{24}$/i),
  uri: (text) => parseUrl(text) !== undefined,
  email: isEmail,
  hostname: isHostname,
  ipv4: (text) => parseAddress(text)?.family === 4 && !text.includes(':'),
  ipv6: (text) => text.includes(':') && parseAddress(text) !== undefined,
  cidr: (text) => parseAddressRange(text) !== undefined,
  mac: isMac,
  uuid: matching(UUID),
  uuid3: uuidOf('3'),
  uuid4: uuidOf('4', '89ab'),
  uuid5: uuidOf('5', '89ab'),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: matching(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matching(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i),
  rgbcolor: isRgb,
  date: (text) => text.length === 10 && parseTimestamp(text, true) !== undefined,
  duration: isDuration,
  datetime: isMoment,
  'date-time': isMoment,
};

/** The formats of texts that count, by name; others are remarks. */
export const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ...Object.entries(SHORT).map(([name, holds]): [string, Format] => [
    name,
    (text) => text.length <= LONGEST && holds(text),
  ]),
  ['byte', isBase64],
]);
