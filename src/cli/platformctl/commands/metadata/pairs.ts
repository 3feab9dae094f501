import { CommandError } from '../../frame/failure.ts';

/** What a line wants of labels or annotations. */
export interface PairChanges {
  /** Words that name objects. */
  readonly resources: readonly string[];
  readonly set: ReadonlyMap<string, string>;
  readonly remove: readonly string[];
}

const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

/** `pods web a=b c-`: objects first, then pairs to set and keys to remove. */
export function pairChanges(args: readonly string[], what: 'label' | 'annotation'): PairChanges {
  const isChange = (word: string): boolean => /^[^=]+=/.test(word) || word.endsWith('-');
  const firstChange = args.findIndex(isChange);
  const resources = firstChange < 0 ? args : args.slice(0, firstChange);
  const set = new Map<string, string>();
  const remove: string[] = [];
  for (const word of firstChange < 0 ? [] : args.slice(firstChange)) {
    const equals = word.indexOf('=');
    if (!isChange(word)) throw new CommandError(`all resources must be specified before ${what} changes: ${word}`);
    if (equals < 0) remove.push(word.slice(0, -1));
    else set.set(word.slice(0, equals), valueIn(word, equals, what));
  }
  if (remove.some((key) => set.has(key))) {
    const article = what === 'label' ? 'a label' : 'an annotation';
    throw new CommandError(`can not both modify and remove ${article} in the same command`);
  }
  return { resources, set, remove };
}

function valueIn(word: string, equals: number, what: 'label' | 'annotation'): string {
  const value = word.slice(equals + 1);
  if (what === 'annotation' || (LABEL_VALUE.test(value) && value.length <= 63)) return value;
  throw new CommandError(
    `invalid label value: ${JSON.stringify(word)}: a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
  );
}
