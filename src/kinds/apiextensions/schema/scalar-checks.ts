import { patternOf } from '../../../cel/functions/pattern.ts';
import { codePointCount } from '../../../cel/values/text.ts';
import { Failure } from '../../../cel/values/values.ts';
import type { Path } from '../../../schema/path.ts';
import { sortedJson } from '../../../schema/sorted-json.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import type { Checking, Findings } from './findings.ts';
import { FORMATS } from './formats.ts';

/** Looks at a value of one type. */
export type CheckOf<T> = (value: T, path: Path, findings: Findings, checking: Checking) => void;

/** Length, pattern and format of texts; undefined when anything goes. Of length and pattern the first problem is told. */
export function textCheck(source: JSONSchemaProps): CheckOf<string> | undefined {
  const isFormat = FORMATS.get(source.format ?? '');
  const { maxLength, minLength, pattern = '', format = '' } = source;
  if (!isFormat && maxLength === undefined && minLength === undefined && pattern === '') return undefined;
  return (value, path, findings, checking) => {
    const characters = maxLength === undefined && minLength === undefined ? 0 : codePointCount(value);
    if (maxLength !== undefined && characters > maxLength) findings.tooLong(path, maxLength);
    else if (minLength !== undefined && characters < minLength) {
      findings.invalid(path, value, `should be at least ${minLength} chars long`);
    } else if (pattern !== '') checkPattern(pattern, value, path, findings, checking);
    if (isFormat && !isFormat(value)) findings.wrongType(path, format, value);
  };
}

/** Whether a look at a text or a number shows that it is within the bounds of a schema: nothing is ever found in it. */
export function boundsLook(source: JSONSchemaProps): (value: unknown) => boolean {
  const { maxLength = Number.POSITIVE_INFINITY, minLength = 0, pattern = '', format = '', multipleOf } = source;
  const { maximum = Number.POSITIVE_INFINITY, minimum = Number.NEGATIVE_INFINITY } = source;
  const isExclusive = source.exclusiveMaximum === true || source.exclusiveMinimum === true;
  const looksAtTexts = pattern === '' && !FORMATS.has(format);
  const looksAtNumbers = multipleOf === undefined && !isExclusive;
  return (value) => {
    // A character takes one or two units of a text.
    if (typeof value === 'string') return looksAtTexts && value.length <= maxLength && value.length >= 2 * minLength;
    return typeof value !== 'number' || (looksAtNumbers && value >= minimum && value <= maximum);
  };
}

/** By automata: no pattern takes more than linear time, and what it takes is counted. */
function checkPattern(pattern: string, value: string, path: Path, findings: Findings, { meter }: Checking): void {
  const compiled = patternOf(meter, pattern);
  if (compiled instanceof Failure) {
    findings.invalid(path, value, `should match '${pattern}, but pattern is invalid: ${compiled.message}'`);
  } else if (!compiled.test(meter, value)) findings.invalid(path, value, `should match '${pattern}'`);
}

/** Bounds and factor of numbers; undefined when anything goes. */
export function numberCheck(source: JSONSchemaProps): CheckOf<number> | undefined {
  const { maximum, minimum, exclusiveMaximum = false, exclusiveMinimum = false, multipleOf } = source;
  if (maximum === undefined && minimum === undefined && multipleOf === undefined) return undefined;
  return (value, path, findings) => {
    if (multipleOf !== undefined) checkFactor(value, multipleOf, path, findings);
    if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
      findings.invalid(path, value, `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`);
    }
    if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
      findings.invalid(path, value, `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`);
    }
  };
}

/** What counts as a whole number, relative to its size: 0.3 is three times 0.1. */
const TOLERANCE = 1e-9;

function checkFactor(value: number, factor: number, path: Path, findings: Findings): void {
  if (factor <= 0) {
    findings.invalid(path, value, `cannot be checked: its factor multipleOf must be positive: ${factor}`);
    return;
  }
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  const whole = Math.round(times);
  const isWhole = times === whole || Math.abs(times - whole) < TOLERANCE * (Math.abs(times) + Math.abs(whole));
  if (!isWhole) findings.invalid(path, value, `should be a multiple of ${factor}`);
}

/** Messages show no more of an enumeration. */
const LONGEST_SHOWN = 4_000;

/** The values that are allowed; undefined when all are. */
export function enumCheck({ enum: allowed }: JSONSchemaProps): CheckOf<unknown> | undefined {
  if (!allowed || allowed.length === 0) return undefined;
  const known = new Set(allowed.map(sameKey));
  return (value, path, findings) => {
    if (!known.has(sameKey(value))) findings.notEnumerated(path, value, shownOf(allowed));
  };
}

/** Two values have the same key when they are the same: texts and numbers are their own, others are told apart by text. */
export const sameKey = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? `${COMPOSITE}${sortedJson(value)}` : value;

const COMPOSITE = '\u0000';

function shownOf(allowed: readonly unknown[]): string[] {
  const shown: string[] = [];
  let room = LONGEST_SHOWN;
  for (const value of allowed) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    room -= text.length;
    if (room < 0) return [...shown, '…'];
    shown.push(text);
  }
  return shown;
}
