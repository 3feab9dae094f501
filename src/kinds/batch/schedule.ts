/** Schedules in the form of cron: five fields, or a word for a common one. */

interface Bounds {
  readonly lowest: number;
  readonly highest: number;
  readonly names: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Minute, hour, day of the month, month, day of the week. */
const FIELDS: readonly Bounds[] = [
  { lowest: 0, highest: 59, names: [] },
  { lowest: 0, highest: 23, names: [] },
  { lowest: 1, highest: 31, names: [] },
  { lowest: 1, highest: 12, names: MONTHS },
  { lowest: 0, highest: 6, names: DAYS },
];

const WORDS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const EVERY = '@every ';
const DURATION = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const ZONE = /^(?:TZ|CRON_TZ)=/;

/** Every minute, hour, day and month of the year, each named by itself, take some 400 characters. */
const LONGEST_SCHEDULE = 2_000;

/** What is wrong with a schedule; undefined when it is fine. A time zone may come before it. */
export function cronSchedule(text: string): string | undefined {
  if (text === '') return 'empty spec string';
  if (text.length > LONGEST_SCHEDULE) return `must have at most ${LONGEST_SCHEDULE} characters`;
  if (!ZONE.test(text)) return unzonedSchedule(text);
  const space = text.indexOf(' ');
  const zone = text.slice(text.indexOf('=') + 1, space < 0 ? text.length : space);
  if (zone !== '' && zone !== 'Local' && !isTimeZone(zone))
    return `provided bad location ${zone}: unknown time zone ${zone}`;
  return unzonedSchedule(space < 0 ? '' : text.slice(space).trim());
}

function unzonedSchedule(text: string): string | undefined {
  if (text.startsWith('@')) return describedSchedule(text);
  const fields = text.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  return FIELDS.map((bounds, at) => fieldProblem(fields[at] ?? '', bounds)).find((problem) => problem !== undefined);
}

function describedSchedule(text: string): string | undefined {
  if (WORDS.includes(text)) return undefined;
  if (!text.startsWith(EVERY)) return `unrecognized descriptor: ${text}`;
  return DURATION.test(text.slice(EVERY.length)) ? undefined : `failed to parse duration ${text}`;
}

/** A field is a list of ranges. */
const fieldProblem = (field: string, bounds: Bounds): string | undefined =>
  field
    .split(',')
    .filter((range) => range !== '')
    .map((range) => rangeProblem(range, bounds))
    .find((problem) => problem !== undefined);

/** `*`, `5`, `1-5`, each with a step after a slash; a single number with a step runs to the end. */
function rangeProblem(text: string, bounds: Bounds): string | undefined {
  const [range = '', step, ...moreSlashes] = text.split('/');
  const [low = '', high, ...moreHyphens] = range.split('-');
  if (moreSlashes.length > 0) return `too many slashes: ${text}`;
  const open = low === '*' || low === '?';
  if (!open && moreHyphens.length > 0) return `too many hyphens: ${text}`;
  const start = open ? bounds.lowest : numberOf(low, bounds);
  const end = open || (high === undefined && step !== undefined) ? bounds.highest : numberOf(high ?? low, bounds);
  const stride = step === undefined ? 1 : numberOf(step, { ...bounds, names: [] });
  if (start === undefined || end === undefined || stride === undefined) return `failed to parse int from ${text}`;
  if (start < bounds.lowest) return `beginning of range (${start}) below minimum (${bounds.lowest}): ${text}`;
  if (end > bounds.highest) return `end of range (${end}) above maximum (${bounds.highest}): ${text}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`;
  return stride === 0 ? `step of range should be a positive number: ${text}` : undefined;
}

function numberOf(text: string, { lowest, names }: Bounds): number | undefined {
  const at = names.indexOf(text.toLowerCase());
  if (at >= 0) return at + lowest;
  return /^\+?\d+$/.test(text) ? Number(text) : undefined;
}

/** The longest name there is has half as many characters. */
const LONGEST_ZONE = 64;

const ZONE_PART = /^(?!-|\.$|\.\.$)[A-Za-z.\-_0-9+]{1,14}$/;

function isTimeZone(name: string): boolean {
  if (name.length > LONGEST_ZONE) return false;
  if (!name.split('/').every((part) => ZONE_PART.test(part)) || !/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** What is wrong with the name of a time zone; undefined when it is fine. */
export function timeZone(name: string): string | undefined {
  if (name === '') return 'timeZone must be nil or non-empty string';
  if (name.toLowerCase() === 'local') {
    return 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
  }
  return isTimeZone(name) ? undefined : `unknown time zone ${name}`;
}
