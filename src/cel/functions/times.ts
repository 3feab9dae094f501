import { BoundedCache, textBytes } from '../../bounds/bounded-cache.ts';
import type { Meter } from '../values/meter.ts';
import { toInt } from '../values/numbers.ts';
import { SECOND, split, type Timestamp } from '../values/time.ts';
import { Failure } from '../values/values.ts';
import { duration, int, type Library, member, type Overload, text, timestamp } from './signature.ts';

const MINUTE_MS = 60_000;
const OFFSET = /^([+-]?)(\d\d):(\d\d)$/;
const LONGEST_ZONE = 64;
/** What making a calendar of a zone takes, and asking it. */
const UNITS_TO_MAKE = 20_000;
const UNITS_TO_ASK = 1_000;

const calendars = new BoundedCache<string, Intl.DateTimeFormat | Failure>({
  name: 'cel time zones',
  capacity: 2 << 20,
  sizeOf: (zone) => textBytes(zone) + (16 << 10),
});

function calendarOf(meter: Meter, zone: string): Intl.DateTimeFormat | Failure {
  const known = calendars.get(zone);
  if (known) return known;
  meter.spend(UNITS_TO_MAKE);
  const made = newCalendar(zone);
  calendars.set(zone, made);
  return made;
}

function newCalendar(zone: string): Intl.DateTimeFormat | Failure {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    return new Failure(`unknown time zone ${zone}`);
  }
}

/** How far a zone is ahead of UTC at a moment: `+02:00`, or a name such as `Europe/Berlin`. */
function offsetMs(meter: Meter, zone: string, at: number): number | Failure {
  if (zone.length > LONGEST_ZONE) return new Failure('unknown time zone');
  const fixed = OFFSET.exec(zone);
  if (fixed) return minutesOf(fixed[1], fixed[2], fixed[3]) * MINUTE_MS;
  const calendar = calendarOf(meter, zone === '' ? 'UTC' : zone);
  if (calendar instanceof Failure) return calendar;
  meter.spend(UNITS_TO_ASK);
  const shown = calendar.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(shown) ?? [];
  return minutesOf(sign, hours, minutes) * MINUTE_MS;
}

const minutesOf = (sign = '', hours = '0', minutes = '0'): number =>
  (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));

const DAY_MS = 86_400_000;

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS);
}

/** One part of a moment, in UTC or in a zone. */
function part(read: (date: Date) => number): Overload[] {
  const dateOf = ({ nanos }: Timestamp): number => Number(split(nanos).seconds) * 1000 + milliseconds(nanos);
  return [
    member([timestamp], int, (_, moment) => read(new Date(dateOf(moment))), { units: () => 5, estimate: () => 1 }),
    member(
      [timestamp, text],
      int,
      (meter, moment, zone) => {
        const at = dateOf(moment);
        const offset = offsetMs(meter, zone, at);
        return offset instanceof Failure ? offset : read(new Date(at + offset));
      },
      { units: () => 5, estimate: () => 1 },
    ),
  ];
}

const milliseconds = (nanos: bigint): number => Number(split(nanos).rest / 1_000_000n);

const whole = (unit: bigint): Overload => member([duration], int, (_, { nanos }) => toInt(nanos / unit));

export const times: Library = {
  getFullYear: part((date) => date.getUTCFullYear()),
  getMonth: part((date) => date.getUTCMonth()),
  getDate: part((date) => date.getUTCDate()),
  getDayOfMonth: part((date) => date.getUTCDate() - 1),
  getDayOfWeek: part((date) => date.getUTCDay()),
  getDayOfYear: part(dayOfYear),
  getHours: [...part((date) => date.getUTCHours()), whole(3_600n * SECOND)],
  getMinutes: [...part((date) => date.getUTCMinutes()), whole(60n * SECOND)],
  getSeconds: [...part((date) => date.getUTCSeconds()), whole(SECOND)],
  getMilliseconds: [
    ...part((date) => date.getUTCMilliseconds()),
    member([duration], int, (_, { nanos }) => Number((nanos % SECOND) / 1_000_000n)),
  ],
};
