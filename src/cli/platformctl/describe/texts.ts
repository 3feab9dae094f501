/** A moment as objects hold it. */
export type Moment = string | null | undefined;

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (number: number): string => String(number).padStart(2, '0');

/** `Wed, 18 Nov 2026 13:17:53 +0000`, in the time zone of whoever reads it. A moment that is not set is that of the year 1. */
export function momentText(moment: Moment): string {
  if (!moment) return 'Mon, 01 Jan 0001 00:00:00 +0000';
  const time = new Date(moment);
  const date = `${two(time.getDate())} ${MONTHS[time.getMonth()]} ${String(time.getFullYear()).padStart(4, '0')}`;
  return `${DAYS[time.getDay()]}, ${date} ${clockText(time)} ${zoneText(time)}`;
}

/** `2026-11-18 13:17:53 +0000 UTC`. */
export function sortableMomentText(moment: Moment): string {
  if (!moment) return '0001-01-01 00:00:00 +0000 UTC';
  const time = new Date(moment);
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const zone = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
    .formatToParts(time)
    .find(({ type }) => type === 'timeZoneName')?.value;
  return `${date} ${clockText(time)} ${zoneText(time)} ${zone ?? ''}`;
}

const clockText = (time: Date): string => [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');

function zoneText(time: Date): string {
  const offset = -time.getTimezoneOffset();
  const minutes = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}${two(minutes % 60)}`;
}

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The keys of a map in the order in which they are shown. */
export const sortedEntries = <T>(map: Readonly<Record<string, T>> | null | undefined): (readonly [string, T])[] =>
  Object.entries(map ?? {}).sort(([a], [b]) => byText(a, b));

/** `[a b]`. */
export const listText = (items: readonly unknown[] | null | undefined): string => `[${(items ?? []).join(' ')}]`;

/** `True`, `False`, or `<unset>`. */
export const yesNo = (value: boolean | null | undefined): string => {
  if (value === null || value === undefined) return '<unset>';
  return value ? 'True' : 'False';
};

/** Who controls an object: `ReplicaSet/web-1`. */
export function controllerText(
  owners: readonly { readonly kind: string; readonly name: string; readonly controller?: boolean | null }[] = [],
): string | undefined {
  const owner = owners.find(({ controller }) => controller);
  return owner && `${owner.kind}/${owner.name}`;
}
