/** Moments and spans of time, in nanoseconds. */

export class Timestamp {
  /** Since the epoch. */
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export const SECOND = 1_000_000_000n;
const MILLISECOND = 1_000_000n;
const FIRST = BigInt(Date.parse('0001-01-01T00:00:00Z')) * MILLISECOND;
const LAST = (BigInt(Date.parse('9999-12-31T23:59:59Z')) / 1000n) * SECOND + SECOND - 1n;
const LONGEST = 2n ** 63n - 1n;

/** Undefined outside of the years 1 to 9999. */
export const timestamp = (nanos: bigint): Timestamp | undefined =>
  nanos >= FIRST && nanos <= LAST ? new Timestamp(nanos) : undefined;

/** Undefined when it does not fit 64 bits, which is some 292 years. */
export const duration = (nanos: bigint): Duration | undefined =>
  nanos >= -LONGEST - 1n && nanos <= LONGEST ? new Duration(nanos) : undefined;

/** No text that is a time or a duration needs more characters. */
const LONGEST_TEXT = 64;
const MOMENT = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

const fractionNanos = (digits: string): bigint => BigInt(digits.slice(0, 9).padEnd(9, '0'));

/** RFC 3339, or a date alone if `isDate`. */
export function parseTimestamp(text: string, isDate = false): Timestamp | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  if (isDate && DATE.test(text)) return parseTimestamp(`${text}T00:00:00Z`);
  const parts = MOMENT.exec(text);
  if (!parts) return undefined;
  const [, date = '', clock = '', fraction = '', zone = ''] = parts;
  const at = Date.parse(`${date}T${clock}${zone.toUpperCase()}`);
  const isRealDay = new Date(`${date}T00:00:00Z`).getUTCDate() === Number(date.slice(8));
  if (Number.isNaN(at) || clock.startsWith('24') || !isRealDay) return undefined;
  return timestamp(BigInt(at) * MILLISECOND + fractionNanos(fraction));
}

/** Nanoseconds that are left over from whole seconds, and those. */
export function split(nanos: bigint): { readonly seconds: bigint; readonly rest: bigint } {
  const rest = ((nanos % SECOND) + SECOND) % SECOND;
  return { seconds: (nanos - rest) / SECOND, rest };
}

/** A fraction of a second without zeros at its end. */
function decimals(rest: bigint): string {
  if (rest === 0n) return '';
  let digits = String(rest).padStart(9, '0');
  while (digits.endsWith('0')) digits = digits.slice(0, -1);
  return `.${digits}`;
}

export function timestampText({ nanos }: Timestamp): string {
  const { seconds, rest } = split(nanos);
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}${decimals(rest)}Z`;
}

export function durationText({ nanos }: Duration): string {
  const magnitude = nanos < 0n ? -nanos : nanos;
  return `${nanos < 0n ? '-' : ''}${magnitude / SECOND}${decimals(magnitude % SECOND)}s`;
}

const UNIT_NANOS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: MILLISECOND,
  s: SECOND,
  m: 60n * SECOND,
  h: 3_600n * SECOND,
};
const DURATION = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const DURATION_PART = /^[+-]?(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/;

/** Such as `1h30m`, `-1.5s`, `300ms`. */
export function parseDuration(text: string): Duration | undefined {
  if (text.length > LONGEST_TEXT || !DURATION.test(text)) return undefined;
  let nanos = 0n;
  for (let rest = text; rest !== ''; ) {
    const [part = rest, whole = '', fraction = '', unit = ''] = DURATION_PART.exec(rest) ?? [];
    const size = UNIT_NANOS[unit] ?? 0n;
    nanos += BigInt(whole || '0') * size;
    if (fraction !== '') nanos += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
    rest = rest.slice(part.length);
  }
  return duration(text.startsWith('-') ? -nanos : nanos);
}
