const SECONDS = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;

/** An instant in milliseconds, or undefined when the text is no such moment (day 32, hour 25). */
function instant(date: string, clock: string, zone: string): number | undefined {
  const at = Date.parse(`${date}T${clock}${zone}`);
  // Date.parse takes 24:00:00 for the next midnight.
  if (Number.isNaN(at) || clock.startsWith('24')) return undefined;
  // Date.parse lets the 30th of February become March: the day must survive the round trip.
  const day = Number(date.slice(8));
  return new Date(Date.parse(`${date}T00:00:00Z`)).getUTCDate() === day ? at : undefined;
}

/** The canonical time that was met last: an object's times are read again with every write, and are mostly the same. */
let lastCanonical = '';

/** RFC 3339 in, UTC with whole seconds out; undefined when it is no such time. The empty string stays empty. */
export function canonicalTime(text: string): string | undefined {
  if (text === '' || text === lastCanonical) return text;
  const time = readTime(text);
  if (time !== undefined) lastCanonical = time;
  return time;
}

function readTime(text: string): string | undefined {
  const parts = SECONDS.exec(text);
  if (!parts) return undefined;
  const [, date = '', clock = '', , zone = ''] = parts;
  const at = instant(date, clock, zone);
  if (at === undefined) return undefined;
  return zone === 'Z' ? `${date}T${clock}Z` : formatTime(at);
}

/** As canonicalTime, but with exactly six fraction digits, in and out. */
export function canonicalMicroTime(text: string): string | undefined {
  if (text === '') return '';
  const parts = SECONDS.exec(text);
  if (!parts) return undefined;
  const [, date = '', clock = '', fraction = '', zone = ''] = parts;
  const at = instant(date, clock, zone);
  if (at === undefined || fraction.length !== 6) return undefined;
  return `${formatTime(at).slice(0, 19)}.${fraction}Z`;
}

/** The second that was formatted last. */
let lastSecond = { second: 0, text: '1970-01-01T00:00:00Z' };

/** Milliseconds since the epoch as UTC text with whole seconds. */
export function formatTime(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== lastSecond.second) {
    lastSecond = { second, text: `${new Date(second * 1000).toISOString().slice(0, 19)}Z` };
  }
  return lastSecond.text;
}

/** Milliseconds since the epoch as UTC text with six fraction digits. */
export const formatMicroTime = (milliseconds: number): string => {
  const second = Math.floor(milliseconds / 1000);
  const micros = Math.floor((milliseconds - second * 1000) * 1000);
  return `${formatTime(milliseconds).slice(0, 19)}.${String(micros).padStart(6, '0')}Z`;
};

const DAY_SECONDS = 86_400;
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

/** The day that was met last. Dates take long to work out, and the times in an object are mostly of one day. */
let lastDay = { number: 0, date: '1970-01-01' };

function dayOf(canonical: string): number {
  if (!canonical.startsWith(lastDay.date)) {
    const date = canonical.slice(0, 10);
    lastDay = { number: Date.parse(`${date}T00:00:00Z`) / 1000 / DAY_SECONDS, date };
  }
  return lastDay.number;
}

function dateOf(day: number): string {
  if (day !== lastDay.number) lastDay = { number: day, date: formatTime(day * DAY_SECONDS * 1000).slice(0, 10) };
  return lastDay.date;
}

const ZERO = 48;
const twoDigits = (text: string, at: number): number =>
  (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;

/** Seconds since the epoch of a time in canonical form; what it has of a fraction does not count. */
export const secondsOf = (canonical: string): number =>
  dayOf(canonical) * DAY_SECONDS +
  twoDigits(canonical, 11) * 3600 +
  twoDigits(canonical, 14) * 60 +
  twoDigits(canonical, 17);

const FIRST_SECOND = secondsOf('0000-01-01T00:00:00Z');
const LAST_SECOND = secondsOf('9999-12-31T23:59:59Z');

/** A time in canonical form; undefined where its year would not have four digits. */
export function timeOf(seconds: number): string | undefined {
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) return undefined;
  const day = Math.floor(seconds / DAY_SECONDS);
  const rest = seconds - day * DAY_SECONDS;
  const hour = TWO_DIGITS[Math.floor(rest / 3600)];
  const minute = TWO_DIGITS[Math.floor(rest / 60) % 60];
  return `${dateOf(day)}T${hour}:${minute}:${TWO_DIGITS[rest % 60]}Z`;
}

/** As timeOf, with what the nanoseconds hold of whole microseconds; undefined also when they are a second or more. */
export function microTimeOf(seconds: number, nanos: number): string | undefined {
  if (nanos < 0 || nanos >= 1_000_000_000) return undefined;
  const micros = Math.floor(nanos / 1000);
  return timeOf(seconds)?.replace('Z', `.${String(micros).padStart(6, '0')}Z`);
}
