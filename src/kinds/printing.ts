/** How values are spelled in table cells. People and scripts read these texts, so every boundary is part of the interface. */

export const NONE = '<none>';
export const UNSET = '<unset>';
export const UNKNOWN = '<unknown>';

/** A time as objects hold it: RFC 3339 text, null or absent when unset. */
type Time = string | null | undefined;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24;
const YEAR = 365 * DAY;

/** `3m5s`, `2d4h`, `5y`: two units while they matter, then one. A second of clock difference is forgiven. */
export function duration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / SECOND);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(milliseconds / MINUTE);
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  return longDuration(Math.trunc(milliseconds / HOUR), minutes);
}

function longDuration(hours: number, minutes: number): string {
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm');
  if (hours < 2 * DAY) return `${hours}h`;
  const days = Math.trunc(hours / DAY);
  if (hours < 8 * DAY) return pair(days, 'd', hours % DAY, 'h');
  if (hours < 2 * YEAR) return `${days}d`;
  const years = Math.trunc(hours / YEAR);
  return hours < 8 * YEAR ? pair(years, 'y', days % 365, 'd') : `${years}y`;
}

/** The smaller unit is left out when it is zero. */
const pair = (large: number, unit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large}${unit}` : `${large}${unit}${small}${smallUnit}`;

/** How long ago a time was, whole seconds or finer. */
export const age = (time: Time, now: number): string => (time ? duration(now - Date.parse(time)) : UNKNOWN);

/** `a=1,b=2`. The pairs are sorted as text, so `a-b=` comes before `a=`. */
export function labels(map: Readonly<Record<string, string>> | null | undefined): string {
  const pairs = Object.entries(map ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? NONE : pairs.sort().join(',');
}

/** A label selector as objects hold it. */
export interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly Requirement[];
}

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** `a=1,b in (x,y),!c`, sorted by key. */
export function selector(value: Selector | null | undefined): string {
  const text = selectorText(value);
  if (text === undefined) return '<error>';
  return text === '' ? NONE : text;
}

/** As `selector`, but '' when it selects everything or is missing, and undefined when it makes no sense. */
export function selectorText(value: Selector | null | undefined): string | undefined {
  const terms: { key: string; text: string }[] = [];
  for (const [key, wanted] of Object.entries(value?.matchLabels ?? {})) terms.push({ key, text: `${key}=${wanted}` });
  for (const requirement of value?.matchExpressions ?? []) {
    const text = requirementText(requirement);
    if (text === undefined) return undefined;
    terms.push({ key: requirement.key, text });
  }
  return terms
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ text }) => text)
    .join(',');
}

function requirementText({ key, operator, values = [] }: Requirement): string | undefined {
  const choices = `(${[...values].sort().join(',')})`;
  switch (operator) {
    case 'In':
      return values.length === 0 ? undefined : `${key} in ${choices}`;
    case 'NotIn':
      return values.length === 0 ? undefined : `${key} notin ${choices}`;
    case 'Exists':
      return values.length === 0 ? key : undefined;
    case 'DoesNotExist':
      return values.length === 0 ? `!${key}` : undefined;
    default:
      return undefined;
  }
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Objects hold quantities in their canonical spelling already. */
export const quantity = (value: string | undefined): string => value ?? '0';

const ACCESS_MODES = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

/** Abbreviated, each once, in a fixed order. */
export function accessModes(modes: readonly string[] | null | undefined): string {
  return ACCESS_MODES.filter(([mode]) => modes?.includes(mode))
    .map(([, abbreviation]) => abbreviation)
    .join(',');
}

/** The first few, and how many more there are. */
export function firstFew(items: readonly string[], limit: number, separator = ','): string {
  const shown = items.slice(0, limit).join(separator);
  return shown + more(items.length - limit);
}

/** ` + 2 more...`, or nothing. */
export const more = (count: number): string => (count > 0 ? ` + ${count} more...` : '');

/** `10.0.0.1:80`, `[2001:db8::1]:80`. */
export const hostPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** Each once, in order, separated by commas. */
export const sortedSet = (items: readonly string[]): string => [...new Set(items)].sort().join(',');
