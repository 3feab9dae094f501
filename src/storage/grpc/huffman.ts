/** The code that HTTP/2 compresses the texts of headers with (RFC 7541, appendix B). */

/** How many bits each byte takes, as `bits × count` in the order of the bytes; the last one is the end of the text. */
const LENGTHS =
  '13 23 28×7 24 30 28×2 30 28×8 30 28×9 6 10×2 12 13 6 8 11 10×2 8 11 8 6×3 5×3 6×7 7 8 15 6 12 10 13 6 7×22 8 7 8 13 19 ' +
  '13 14 6 15 5 6 5 6 5 6×3 5 7×2 6×3 5 6 7 6 5×2 6 7×5 15 11 14 13 28 20 22 20×2 22×3 23 22 23×5 24 23 24×2 22 23 24 ' +
  '23×4 21 22 23 22 23×2 24 22 21 20 22×2 23×2 21 23 22×2 24 21 22 23×2 21×2 22 21 23 22 23×2 20 22×3 23 22×2 23 26×2 ' +
  '20 19 22 23 22 25 26×3 27×2 26 24 25 19 21 26 27×2 26 27 24 21×2 26×2 28 27×3 20 24 20 21 22 21×2 23 22×2 25×2 24×2 ' +
  '26 23 26 27 26×2 27×5 28 27×5 26 30';

const LONGEST = 30;
/** The end of the text, which is never sent. */
const END = 256;

/** By length of code: the first code, and the bytes that have codes of this length, in the order of their codes. */
interface Row {
  readonly first: number;
  readonly symbols: readonly number[];
}

function rows(): Row[] {
  const byLength: number[][] = Array.from({ length: LONGEST + 1 }, () => []);
  let symbol = 0;
  for (const part of LENGTHS.split(' ')) {
    const [bits = 0, count = 1] = part.split('×').map(Number);
    for (let at = 0; at < count; at++) byLength[bits]?.push(symbol++);
  }
  // Codes of one length are consecutive numbers, and the shorter ones come first.
  let code = 0;
  return byLength.map((symbols) => {
    const first = code << 1;
    code = first + symbols.length;
    return { first, symbols };
  });
}

let table: readonly Row[] | undefined;

/** The text that the bytes stand for. Throws when they stand for none. */
export function decodeHuffman(bytes: Buffer): string {
  table ??= rows();
  const text: number[] = [];
  let code = 0;
  let length = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      code = (code << 1) | ((byte >> bit) & 1);
      const { first, symbols } = table[++length] ?? { first: 0, symbols: [] };
      const symbol = symbols[code - first];
      if (symbol !== undefined && symbol !== END) {
        text.push(symbol);
        code = 0;
        length = 0;
      } else if (length >= LONGEST) throw new Error('a header is not coded as it should be');
    }
  }
  // What is left fills the last byte and is all ones.
  if (length > 7 || code !== (1 << length) - 1) throw new Error('a header ends within a character');
  return Buffer.from(text).toString('latin1');
}
