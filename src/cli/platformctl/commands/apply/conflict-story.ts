import type { Cause } from '../../../../api/errors.ts';
import type { AnyObject } from '../../../../client/plane-client.ts';
import { isObject } from '../../../../schema/json-object.ts';
import { isClientSideManager } from './client-side-migration.ts';

export interface ConflictParts {
  /** Such as `deployment.apps/web`. */
  readonly name: string;
  /** What the plane said: one cause for each field and manager. */
  readonly causes: readonly Cause[];
  /** The object as it is; undefined where it is gone meanwhile. */
  readonly live: AnyObject | undefined;
  readonly wanted: object;
  /** Milliseconds. */
  readonly now: number;
}

/** More fields than this are counted. */
const MOST_FIELDS = 50;
const MOST_CHARACTERS = 200;

/** Tells of fields that were not changed because others manage them: who, since when, what they say, what the file says. */
export function conflictStory({ name, causes, live, wanted, now }: ConflictParts): string {
  const byField = new Map<string, string[]>();
  for (const { field = '', message } of causes) byField.set(field, [...(byField.get(field) ?? []), message]);
  const fields = [...byField].slice(0, MOST_FIELDS);
  const more = byField.size - fields.length;
  const subject = byField.size === 1 ? 'a field is' : `${byField.size} fields are`;
  return [
    `${name} was not changed: ${subject} managed by others`,
    ...fields.flatMap(([field, messages]) => fieldLines(field, messages, live, wanted, now)),
    ...(more > 0 ? [`  … and ${more} more`] : []),
    'How to go on:',
    '  * to manage these fields from now on, run the line again with --force-conflicts',
    '  * to leave them to their managers, take them out of the file',
    '  * to share them, write the values that are there into the file',
  ].join('\n');
}

function fieldLines(
  field: string,
  messages: readonly string[],
  live: AnyObject | undefined,
  wanted: object,
  now: number,
): string[] {
  return [
    `  ${field}`,
    ...messages.map((message) => `    managed by  ${managerIn(message, live, now)}`),
    `    theirs      ${shown(valueAt(live, field))}`,
    `    yours       ${shown(valueAt(wanted, field))}`,
  ];
}

/** `conflict with "NAME" with subresource "status" using apps/v1 at TIME`: all but the name may be left out. */
const MESSAGE = /^conflict with "((?:[^"\\]|\\.)*)"(?: with subresource "([^"]*)")?(?: using (\S+))?(?: at (\S+))?$/;

/** Whether all that is in the way is what clients merged before. */
export const isOwnConflict = (causes: readonly Cause[]): boolean =>
  causes.every(({ message }) => isClientSideManager(MESSAGE.exec(message)?.[1] ?? ''));

function managerIn(message: string, live: AnyObject | undefined, now: number): string {
  const found = MESSAGE.exec(message);
  if (!found) return message;
  const [, manager = '', subresource, apiVersion, told] = found;
  const entry = live?.metadata.managedFields?.find(
    (one) =>
      one.manager === manager &&
      (apiVersion === undefined || one.apiVersion === apiVersion) &&
      (one.subresource ?? '') === (subresource ?? ''),
  );
  const at = told ?? entry?.time;
  const time = typeof at === 'string' ? at : undefined;
  const how = entry?.operation === 'Apply' ? 'by apply' : 'by a change';
  const via = subresource === undefined ? '' : ` of its ${subresource}`;
  return [`${manager}, ${how}${via}`, ...(time === undefined ? [] : [`${time} (${ago(now - Date.parse(time))})`])].join(
    ', ',
  );
}

const UNITS: readonly (readonly [milliseconds: number, name: string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
];

function ago(milliseconds: number): string {
  for (const [length, name] of UNITS) {
    const count = Math.floor(milliseconds / length);
    if (count > 0) return `${count} ${name}${count === 1 ? '' : 's'} ago`;
  }
  return 'just now';
}

function shown(value: unknown): string {
  if (value === undefined) return '(nothing)';
  const text = JSON.stringify(value);
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}

/** What is at a path as the plane writes them, `.a.b[key="value",other=1].c[3]`; undefined where there is nothing. */
export function valueAt(document: unknown, path: string): unknown {
  let value = document;
  for (const { name, within } of stepsOf(path)) {
    if (name !== undefined) value = isObject(value) ? fieldOf(value, name) : undefined;
    else if (Array.isArray(value)) value = elementOf(value, within);
    else return undefined;
  }
  return value;
}

interface Step {
  /** Of a field; absent in brackets. */
  readonly name?: string;
  /** What stands in brackets: `key="value",other=1`, `="value"`, `3`. Keys with odd characters come as they are. */
  readonly within: string;
}

function stepsOf(path: string): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < path.length; ) {
    const isBracket = path[at] === '[';
    const end = isBracket ? closing(path, at + 1, ']') : nextStep(path, at + 1);
    const text = path.slice(at + 1, end);
    steps.push(isBracket ? { within: text } : { name: text, within: '' });
    at = isBracket ? end + 1 : end;
  }
  return steps;
}

function nextStep(path: string, from: number): number {
  let at = from;
  while (at < path.length && path[at] !== '.' && path[at] !== '[') at++;
  return at;
}

/** Where a sign is that is in no quotes; the end where there is none. */
function closing(text: string, from: number, sign: string): number {
  let isQuoted = false;
  for (let at = from; at < text.length; at++) {
    if (isQuoted && text[at] === '\\') at++;
    else if (text[at] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && text[at] === sign) return at;
  }
  return text.length;
}

/** `key="value",other=1` as pairs. */
function pairsOf(within: string): (readonly [key: string, value: unknown])[] {
  const pairs: (readonly [string, unknown])[] = [];
  for (let at = 0; at < within.length; ) {
    const end = closing(within, at, ',');
    const equals = within.indexOf('=', at);
    if (equals > at && equals < end) pairs.push([within.slice(at, equals), parsed(within.slice(equals + 1, end))]);
    at = end + 1;
  }
  return pairs;
}

const fieldOf = (object: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

function elementOf(list: readonly unknown[], within: string): unknown {
  if (/^\d+$/.test(within)) return list[Number(within)];
  if (within.startsWith('=')) {
    const value = parsed(within.slice(1));
    return list.find((item) => item === value);
  }
  const pairs = pairsOf(within);
  return list.find((item) => isObject(item) && pairs.every(([key, value]) => item[key] === value));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
