/** What an expression may cost. The unit is that of the original: about what reading a field takes. */

/** Estimates, from what the schema allows: of one rule, and of all rules of a definition together. */
export const RULE_ESTIMATE_LIMIT = 10_000_000;
export const DEFINITION_ESTIMATE_LIMIT = 100_000_000;

/** While running: of one evaluation, and of all evaluations for one object. What a unit takes is in docs/cel.md. */
export const EVALUATION_LIMIT = 1_000_000;
export const OBJECT_LIMIT = 10_000_000;

const ADVICE =
  'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';

/** By how much an estimate is over its limit, in the words clients know. */
export function excessText(what: string, estimate: number, limit: number): string {
  return `${what} exceeds budget by factor of ${factorText(estimate / limit)} (${ADVICE})`;
}

function factorText(factor: number): string {
  if (factor > 100) return 'more than 100x';
  return factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
}
