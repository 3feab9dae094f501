import { TAG } from './der.ts';

/** One element of a DER document. `content` and `whole` are views of the bytes it was read from. */
export interface Element {
  readonly tag: number;
  readonly content: Buffer;
  readonly whole: Buffer;
}

/** Reads elements that follow each other until the bytes end. Throws on lengths that do not fit. */
export function readElements(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const element = readAt(bytes, offset);
    elements.push(element);
    offset += element.whole.length;
  }
  return elements;
}

/** Reads the one element that the bytes hold, with the wanted tag, and returns what is inside it. */
export function readConstructed(bytes: Buffer, tag: number): Element[] {
  const [only, ...more] = readElements(bytes);
  if (only === undefined || more.length > 0 || only.tag !== tag) throw broken(`one element of type ${tag} expected`);
  return readElements(only.content);
}

function readAt(bytes: Buffer, start: number): Element {
  const tag = bytes[start];
  const first = bytes[start + 1];
  if (tag === undefined || first === undefined) throw broken('it ends inside an element');
  // Long tags and lengths without end exist in BER; certificates and requests have neither.
  if ((tag & 0x1f) === 0x1f || first === 0x80 || first > 0x84) throw broken('a form that DER does not have');
  const lengthSize = first < 0x80 ? 0 : first & 0x7f;
  const from = start + 2 + lengthSize;
  if (from > bytes.length) throw broken('it ends inside a length');
  const length = lengthSize === 0 ? first : bytes.readUIntBE(start + 2, lengthSize);
  if (from + length > bytes.length) throw broken('it ends inside an element');
  return { tag, content: bytes.subarray(from, from + length), whole: bytes.subarray(start, from + length) };
}

/** A moment as certificates have it: in UTC, to the second, with two digits for the years 1950 to 2049, or with four. */
export function readTime({ tag, content }: Element): number {
  const text = content.toString('latin1');
  const century = text < '50' ? '20' : '19';
  const [, year, month, day, hour, minute, second] = MOMENT.exec(tag === TAG.utcTime ? century + text : text) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(time)) throw broken('a time that is none');
  return time;
}

const MOMENT = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;

const broken = (why: string): Error => new Error(`not valid DER: ${why}`);
