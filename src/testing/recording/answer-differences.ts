/** What every plane gives anew: no two have the same. */
const GIVEN: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'continue',
  'selfLink',
  'token',
  'managedFields',
  'remainingItemCount',
]);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;
const MOST_TOLD = 10;
const DEEPEST = 60;
const LONGEST_VALUE = 60;

/** Where two answers differ, apart from versions, uids and times. `spec.replicas 1 → 2`. */
export function differences(recorded: unknown, now: unknown): readonly string[] {
  const found: string[] = [];
  compare(recorded, now, '', 0, found);
  return found;
}

type Fields = Readonly<Record<string, unknown>>;

const isMap = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

function compare(before: unknown, after: unknown, path: string, depth: number, found: string[]): void {
  if (found.length >= MOST_TOLD || depth > DEEPEST || isTime(before, after)) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) found.push(`${path} has ${before.length} → ${after.length} elements`);
    else for (const [at, one] of before.entries()) compare(one, after[at], `${path}[${at}]`, depth + 1, found);
  } else if (isMap(before) && isMap(after)) compareFields(before, after, path, depth, found);
  else if (before !== after) found.push(`${path || 'answer'} ${short(before)} → ${short(after)}`);
}

function compareFields(before: Fields, after: Fields, path: string, depth: number, found: string[]): void {
  const isGenerated = typeof before.generateName === 'string';
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (GIVEN.has(field) || (isGenerated && field === 'name')) continue;
    compare(before[field], after[field], path === '' ? field : `${path}.${field}`, depth + 1, found);
  }
}

const isTime = (before: unknown, after: unknown): boolean =>
  typeof before === 'string' && typeof after === 'string' && TIME.test(before) && TIME.test(after);

function short(value: unknown): string {
  if (value === undefined) return '(none)';
  const text = JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
