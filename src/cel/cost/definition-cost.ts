import type { CompiledRule } from '../rule.ts';
import { DEFINITION_ESTIMATE_LIMIT, excessText, RULE_ESTIMATE_LIMIT } from './limits.ts';

/** A rule and where it stands, with the most it can cost for all values of one object together. */
interface Contribution {
  readonly path: string;
  readonly cost: number;
}

/** How many of the costliest rules are named when all together cost too much. */
const MOST_NAMED = 4;
/** A rule that costs less than this part of the limit is not what is wrong. */
const SMALLEST_PART = 100;

/** What is wrong with the rules of a definition, and where. */
export interface CostProblem {
  readonly path: string;
  readonly message: string;
}

/** Adds up what the rules of a definition can cost for one object. */
export class DefinitionCost {
  readonly #contributions: Contribution[] = [];
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /**
   * `cardinality`: of how many values of one object the rule may be asked, by the bounds of the lists and maps around
   * them; undefined where one of those has none: then as many as a request has room for. Returns what is wrong with the
   * rule alone.
   */
  add(path: string, { estimate, mostInRequest }: CompiledRule, cardinality: number | undefined): string | undefined {
    const cost = Math.ceil(estimate.cost * (cardinality ?? mostInRequest));
    this.#contributions.push({ path, cost });
    this.#total += cost;
    if (cost <= RULE_ESTIMATE_LIMIT) return undefined;
    const unbounded =
      cardinality === undefined
        ? [...estimate.drivers, 'the rule is asked for an unbounded number of values']
        : estimate.drivers;
    return `${excessText('estimated rule cost', cost, RULE_ESTIMATE_LIMIT)}: ${reason(cost, RULE_ESTIMATE_LIMIT, unbounded)}`;
  }

  /** What is wrong with all rules together. `root` is the path of the schema, `extension` the word rules stand under. */
  problems(root: string, extension: string): readonly CostProblem[] {
    if (this.#total <= DEFINITION_ESTIMATE_LIMIT) return [];
    const costly = this.#contributions
      .filter(({ cost }) => cost > DEFINITION_ESTIMATE_LIMIT / SMALLEST_PART)
      .sort((a, b) => b.cost - a.cost)
      .slice(0, MOST_NAMED);
    const whole = excessText(
      `${extension} estimated rule cost total for entire OpenAPIv3 schema`,
      this.#total,
      DEFINITION_ESTIMATE_LIMIT,
    );
    return [
      ...costly.map(({ path }) => ({
        path,
        message: 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      })),
      { path: root, message: whole },
    ];
  }
}

function reason(cost: number, limit: number, drivers: readonly string[]): string {
  const amount = `the estimate is ${cost.toPrecision(3)}, the limit ${limit}`;
  return drivers.length === 0 ? amount : `${amount}; ${drivers.join(', ')}`;
}
