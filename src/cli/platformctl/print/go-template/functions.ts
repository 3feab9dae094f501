import { goText } from '../go-text.ts';
import { compactJsonText } from '../json-text.ts';
import { formatted } from './format.ts';
import { TemplateError } from './tokens.ts';

/** Functions that templates call. Arguments have been evaluated; `and` and `or` are with the evaluation. */
export const FUNCTIONS: Readonly<Record<string, (...values: unknown[]) => unknown>> = {
  not: (value) => !isTrue(value),
  len: lengthOf,
  index: (item, ...keys) => keys.reduce(indexed, item),
  slice: sliced,
  print: (...values) => printed(values),
  println: (...values) => `${values.map(goText).join(' ')}\n`,
  printf: (format, ...values) => formatted(String(format), values),
  html: (...values) => printed(values).replaceAll(/[&<>"'\0]/g, (character) => HTML[character] ?? ''),
  js: (...values) => javascriptText(printed(values)),
  urlquery: (...values) =>
    encodeURIComponent(printed(values))
      .replaceAll('%20', '+')
      .replaceAll(/[!'()*]/g, percent),
  eq: (first, ...others) => others.some((other) => compare(first, other) === 0),
  ne: (a, b) => compare(a, b) !== 0,
  lt: (a, b) => ordered(a, b) < 0,
  le: (a, b) => ordered(a, b) <= 0,
  gt: (a, b) => ordered(a, b) > 0,
  ge: (a, b) => ordered(a, b) >= 0,
  exists,
  base64decode: (text) => Buffer.from(String(text), 'base64').toString('utf8'),
};

export const FUNCTION_NAMES: ReadonlySet<string> = new Set([...Object.keys(FUNCTIONS), 'and', 'or']);

/** Empty texts, lists and maps, zero and nothing are false. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** As words in a row: a space goes between two that are no texts. */
function printed(values: readonly unknown[]): string {
  return values
    .map((value, at) => {
      const before = at > 0 && typeof value !== 'string' && typeof values[at - 1] !== 'string' ? ' ' : '';
      return before + goText(value);
    })
    .join('');
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length;
  throw new TemplateError(`error calling len: len of type ${typeof value}`);
}

function indexed(item: unknown, key: unknown): unknown {
  if (item === null || item === undefined) throw new TemplateError('error calling index: index of untyped nil');
  if (Array.isArray(item) || typeof item === 'string') {
    const list = typeof item === 'string' ? Buffer.from(item) : item;
    if (typeof key !== 'number' || !Number.isInteger(key) || key < 0 || key >= list.length) {
      throw new TemplateError(`error calling index: index out of range: ${goText(key)}`);
    }
    return list[key];
  }
  if (typeof item !== 'object') throw new TemplateError(`error calling index: can't index item of type ${typeof item}`);
  const name = String(key);
  return Object.hasOwn(item, name) ? (item as Record<string, unknown>)[name] : undefined;
}

function sliced(item: unknown, ...bounds: unknown[]): unknown {
  if (typeof item !== 'string' && !Array.isArray(item)) {
    throw new TemplateError(`error calling slice: can't slice item of type ${typeof item}`);
  }
  const [from = 0, to = item.length] = bounds.map(Number);
  if (!(from >= 0 && from <= to && to <= item.length)) {
    throw new TemplateError(`error calling slice: index out of range: ${from}`);
  }
  return item.slice(from, to);
}

/** 0 for the same; types that cannot be the same are a mistake. */
function compare(a: unknown, b: unknown): number {
  const [one, other] = [a ?? null, b ?? null];
  if (one === null || other === null) return one === other ? 0 : 1;
  if (typeof one === 'object' || typeof other === 'object') {
    throw new TemplateError('error calling eq: non-comparable type');
  }
  if (typeof one !== typeof other) throw new TemplateError('error calling eq: incompatible types for comparison');
  return one === other ? 0 : 1;
}

function ordered(a: unknown, b: unknown): number {
  if (typeof a !== typeof b || (typeof a !== 'number' && typeof a !== 'string')) {
    throw new TemplateError('error calling lt: incompatible types for comparison');
  }
  if (a === b) return 0;
  return (a as string) < (b as string) ? -1 : 1;
}

/** Whether there is something at a path of keys and indexes. */
function exists(item: unknown, ...keys: unknown[]): boolean {
  let at = item;
  for (const key of keys) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, String(key))) return false;
    at = (at as Record<string, unknown>)[String(key)];
  }
  return at !== undefined;
}

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
  '\0': '\uFFFD',
};

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** Safe inside of a text of JavaScript, in either quotes. */
const javascriptText = (text: string): string =>
  compactJsonText(text)
    .slice(1, -1)
    .replaceAll("'", "\\'")
    .replaceAll('=', '\\u003D')
    .replaceAll(/\\u00(3c|3e|26)/g, (code) => `\\u${code.slice(2).toUpperCase()}`);
