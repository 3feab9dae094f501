import { RE2JS, RE2Set } from 're2js';
import { BoundedCache } from '../../bounds/bounded-cache.ts';
import type { Meter } from '../values/meter.ts';
import { Failure } from '../values/values.ts';

/** A pattern has at most so many characters, and so many parts once what is counted is written out. */
const LONGEST_PATTERN = 2_000;
const MOST_PARTS = 4_000;

/** A longer text costs more than anything may: it would be looked through without a rest. */
const LONGEST_TEXT = 500_000;

/** What the automaton of a pattern may remember of the states it has met. Beyond that it does without. */
const STATES_BYTES = 64 << 10;
const PATTERN_BYTES = 2 * STATES_BYTES;

/** What matching takes for each character, for each character and part, for each state that is new. */
const UNITS_A_CHARACTER = 10;
const UNITS_A_STEP = 2;
const UNITS_A_STATE = 500;
const UNITS_TO_COMPILE_A_PART = 1_000;

/** A compiled pattern. Matching takes linear time, whatever the pattern and the text are. */
class Pattern {
  readonly #source: string;
  readonly #parts: number;
  readonly #set: RE2Set;
  #finder: RE2JS | undefined;

  constructor(source: string, parts: number) {
    this.#source = source;
    this.#parts = parts;
    this.#set = new RE2Set(RE2Set.UNANCHORED, 0, STATES_BYTES);
    this.#set.add(source);
    this.#set.compile();
  }

  #charge(meter: Meter, characters: number): void {
    if (characters > LONGEST_TEXT) meter.spend(Number.POSITIVE_INFINITY);
    meter.spend((characters + 1) * (UNITS_A_CHARACTER + UNITS_A_STEP * this.#parts));
  }

  test(meter: Meter, value: string): boolean {
    this.#charge(meter, value.length);
    const before = this.#set.dfa.stateCount;
    const isFound = this.#set.match(value).length > 0;
    const after = this.#set.dfa.stateCount;
    if (after !== before) meter.spend(UNITS_A_STATE * Math.abs(after - before));
    return isFound;
  }

  findAll(meter: Meter, value: string, most: number): readonly string[] {
    this.#charge(meter, value.length);
    this.#finder ??= RE2JS.compile(this.#source);
    const found: string[] = [];
    const matcher = this.#finder.matcher(value);
    while (found.length < most && matcher.find()) {
      found.push(matcher.group() ?? '');
      // The next search goes on from there, and may look at all that is left.
      if (found.length < most) this.#charge(meter, value.length - matcher.end());
    }
    return found;
  }
}

/** Patterns in use, by their text. Compiling one takes longer than using it. */
const compiled = new BoundedCache<string, Pattern | Failure>({
  name: 'cel patterns',
  capacity: 32 << 20,
  sizeOf: () => PATTERN_BYTES,
});

/** The compiled pattern, or what is wrong with it. */
export function patternOf(meter: Meter, source: string): Pattern | Failure {
  const known = compiled.get(source);
  if (known) return known;
  const parts = source.length > LONGEST_PATTERN ? MOST_PARTS + 1 : partsOf(source);
  if (parts > MOST_PARTS) return new Failure('regular expression is too large');
  meter.spend(parts * UNITS_TO_COMPILE_A_PART);
  const made = compile(source, parts);
  compiled.set(source, made);
  return made;
}

function compile(source: string, parts: number): Pattern | Failure {
  try {
    return new Pattern(source, parts);
  } catch (error) {
    return new Failure(error instanceof Error ? error.message : 'invalid regular expression');
  }
}

const COUNT = /^\{(\d{1,6})(?:,(\d{0,6}))?\}/;

/** How many parts a pattern has once each `{n}` is written out as n copies. In one pass; an estimate from above. */
export function partsOf(source: string): number {
  const groups = [0];
  let last = 0;
  const add = (parts: number): void => {
    groups[groups.length - 1] = (groups.at(-1) ?? 0) + parts;
    last = parts;
  };
  for (let at = 0; at < source.length; at++) {
    const character = source.charAt(at);
    if (character === '\\') {
      at++;
      add(1);
    } else if (character === '[') {
      const end = source.indexOf(']', at + 2);
      add(1);
      if (end > 0) at = end;
    } else if (character === '(') groups.push(0);
    else if (character === ')' && groups.length > 1) add((groups.pop() ?? 0) + 2);
    else if (character === '{') {
      const [text = '', least = '', most = ''] = COUNT.exec(source.slice(at, at + 16)) ?? [];
      const whole = last;
      const times = Math.max(Number(least), Number(most), 1);
      add(whole * (times - 1));
      last = whole * times;
      at += Math.max(text.length - 1, 0);
    } else add(1);
  }
  return groups.reduce((sum, parts) => sum + parts, 0);
}
