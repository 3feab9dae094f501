const SECONDS = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;

/** An instant in milliseconds, or undefined when the text is no such moment (day 32, hour 25). */
function instant(date: string, clock: string, zone: string): number | undefined {
  const at = Date.parse(`${date}T${clock}${zone}`);
  if (Number.isNaN(at)) return undefined;
  // Date.parse lets the 30th of February become March: the day must survive the round trip.
  const day = Number(date.slice(8));
  return new Date(Date.parse(`${date}T00:00:00Z`)).getUTCDate() === day ? at : undefined;
}

/** RFC 3339 in, UTC with whole seconds out; undefined when it is no such time. The empty string stays empty. */
export function canonicalTime(text: string): string | undefined {
  if (text === '') return '';
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

/** Milliseconds since the epoch as UTC text with whole seconds. */
export const formatTime = (milliseconds: number): string =>
  `${new Date(Math.floor(milliseconds / 1000) * 1000).toISOString().slice(0, 19)}Z`;

/** Milliseconds since the epoch as UTC text with six fraction digits. */
export const formatMicroTime = (milliseconds: number): string => {
  const whole = Math.floor(milliseconds);
  const micros = Math.floor((milliseconds - whole) * 1000);
  return `${new Date(whole).toISOString().slice(0, 23)}${String(micros).padStart(3, '0')}Z`;
};
