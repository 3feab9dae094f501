import { type Meter, TEXT_UNITS } from '../values/meter.ts';
import type { Int } from '../values/numbers.ts';
import { Failure } from '../values/values.ts';
import { patternOf } from './pattern.ts';
import { bool, int, type Library, member, text, texts } from './signature.ts';

/** The estimate of the original: a pattern has a state for every four characters. At run time states are counted. */
const matching = {
  units: () => 1,
  estimate: (size: number, pattern: number) => Math.ceil((size + 1) * TEXT_UNITS) * Math.ceil(pattern * 0.25),
};
const finding = { ...matching, resultSize: (size: number) => size };

function matches(meter: Meter, value: string, expression: string): boolean | Failure {
  const pattern = patternOf(meter, expression);
  return pattern instanceof Failure ? pattern : pattern.test(meter, value);
}

function find(meter: Meter, value: string, expression: string): string | Failure {
  const found = findAll(meter, value, expression, 1);
  return found instanceof Failure ? found : (found[0] ?? '');
}

function findAll(meter: Meter, value: string, expression: string, limit: Int): readonly string[] | Failure {
  const pattern = patternOf(meter, expression);
  if (pattern instanceof Failure) return pattern;
  const most = typeof limit === 'number' && limit >= 0 ? limit : Number.POSITIVE_INFINITY;
  return pattern.findAll(meter, value, most);
}

export const regex: Library = {
  matches: [
    member([text, text], bool, matches, matching),
    // The one function of the standard that may be called either way.
    { ...member([text, text], bool, matches, matching), isMember: false },
  ],
  find: [member([text, text], text, find, finding)],
  findAll: [
    member([text, text], texts, (meter, value, expression) => findAll(meter, value, expression, -1), finding),
    member([text, text, int], texts, findAll, finding),
  ],
};
