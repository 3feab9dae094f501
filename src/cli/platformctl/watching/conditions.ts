import type { AnyObject } from '../../../client/plane-client.ts';
import { CommandError } from '../frame/failure.ts';
import { goText } from '../print/go-text.ts';
import { evaluateTemplate } from '../print/json-path/evaluate.ts';
import { type Block, parseRelaxed } from '../print/json-path/syntax.ts';

/** What an object is waited for to be. */
export interface WaitCondition {
  readonly kind: 'create' | 'delete' | 'condition' | 'jsonpath';
  /** `first` is the object that waiting began with: another of the same name is not it. */
  isMet(state: AnyObject | undefined, first?: AnyObject): boolean;
}

/** Reads what `--for` says. */
export function readCondition(given: string): WaitCondition {
  const word = given.toLowerCase();
  if (word === 'create') return { kind: 'create', isMet: (state) => state !== undefined };
  if (word === 'delete') {
    return {
      kind: 'delete',
      isMet: (state, first) =>
        state === undefined || (first !== undefined && state.metadata.uid !== first.metadata.uid),
    };
  }
  if (given.startsWith('condition=')) return statusCondition(given.slice('condition='.length));
  if (given.startsWith('jsonpath=')) return fieldCondition(given.slice('jsonpath='.length));
  throw new CommandError(`unrecognized condition: ${JSON.stringify(given)}`);
}

interface StatusCondition {
  readonly type?: string;
  readonly status?: string;
  readonly observedGeneration?: number;
}

interface ObservedStatus {
  readonly conditions?: readonly StatusCondition[];
  readonly observedGeneration?: number;
}

function statusCondition(given: string): WaitCondition {
  const equals = given.indexOf('=');
  const type = (equals < 0 ? given : given.slice(0, equals)).toLowerCase();
  const wanted = (equals < 0 ? 'true' : given.slice(equals + 1)).toLowerCase();
  return {
    kind: 'condition',
    isMet(state) {
      const { status } = (state ?? {}) as { readonly status?: ObservedStatus };
      const found = status?.conditions?.find((one) => (one.type ?? '').toLowerCase() === type);
      if (!found) return false;
      // What was found out about an earlier generation says nothing about this one.
      const { generation = 0 } = state?.metadata ?? {};
      const observed = found.observedGeneration ?? status?.observedGeneration;
      if (observed !== undefined && observed < generation) return false;
      return (found.status ?? '').toLowerCase() === wanted;
    },
  };
}

function fieldCondition(given: string): WaitCondition {
  const [path = '', value, ...more] = partsOf(given);
  if (more.length > 0) {
    throw new CommandError(
      "jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or --for=jsonpath='{.status.readyReplicas}'",
    );
  }
  if (path === '') throw new CommandError('jsonpath expression cannot be empty');
  if (value === '') {
    throw new CommandError(
      "jsonpath wait has to have a value after equal sign, like --for=jsonpath='{.status.readyReplicas}'=3",
    );
  }
  const blocks = parseRelaxed(path);
  return { kind: 'jsonpath', isMet: (state) => state !== undefined && hasValue(state, blocks, value) };
}

/** A path, and a value after the sign; signs of comparisons within filters belong to the path. */
function partsOf(given: string): string[] {
  const end = given.startsWith('{') ? given.lastIndexOf('}') + 1 : 0;
  const [rest = '', ...values] = given.slice(end).split('=');
  return [given.slice(0, end) + rest, ...values.map(withoutQuotes)];
}

/** Shells and people put quotes around values. */
function withoutQuotes(value: string): string {
  let [from, to] = [0, value.length];
  while (from < to && isQuote(value[from])) from++;
  while (to > from && isQuote(value[to - 1])) to--;
  return value.slice(from, to);
}

const isQuote = (letter: string | undefined): boolean => letter === '"' || letter === "'";

function hasValue(state: AnyObject, blocks: readonly Block[], wanted: string | undefined): boolean {
  const results = evaluateTemplate(blocks, state);
  const [values = []] = results;
  if (values.length === 0) return false;
  if (wanted === undefined) return true;
  if (results.length > 1) throw new CommandError('given jsonpath expression matches more than one list');
  if (values.length > 1) throw new CommandError('given jsonpath expression matches more than one value');
  const [value] = values;
  if (typeof value === 'object' && value !== null) {
    throw new CommandError('jsonpath leads to a nested object or list which is not supported');
  }
  return goText(value).trim() === wanted.trim();
}
