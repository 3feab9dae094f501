/** A block of a PEM text. */
export interface PemBlock {
  /** `CERTIFICATE`. */
  readonly label: string;
  /** Whether lines such as `Name: value` stand before the body, which an empty line ends. */
  readonly hasHeaders: boolean;
  /** What is between its first and its last line, without headers: base64. */
  readonly body: string;
  /** All of it. */
  readonly text: string;
}

const BEGIN = '-----BEGIN ';
const DASHES = '-----';
const EMPTY_LINE = /\n\r?\n/;

/** The blocks of a text, in order; what is no block is passed over. */
export function* pemBlocks(text: string): Generator<PemBlock> {
  for (let start = text.indexOf(BEGIN); start >= 0; ) {
    const block = blockAt(text, start);
    if (block) yield block;
    start = text.indexOf(BEGIN, start + (block?.text ?? BEGIN).length);
  }
}

function blockAt(text: string, start: number): PemBlock | undefined {
  const labelEnd = text.indexOf(DASHES, start + BEGIN.length);
  if (labelEnd < 0) return undefined;
  const label = text.slice(start + BEGIN.length, labelEnd);
  if (!/^[A-Z0-9 ]+$/.test(label)) return undefined;
  const bodyStart = labelEnd + DASHES.length;
  const bodyEnd = text.indexOf(DASHES, bodyStart);
  const last = `-----END ${label}-----`;
  if (bodyEnd < 0 || !text.startsWith(last, bodyEnd)) return undefined;
  const inside = text.slice(bodyStart, bodyEnd);
  const hasHeaders = inside.includes(':');
  const body = hasHeaders ? inside.slice(inside.search(EMPTY_LINE)) : inside;
  return { label, hasHeaders, body, text: text.slice(start, bodyEnd + last.length) };
}
