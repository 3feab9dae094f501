import { Meter } from '../../../cel/values/meter.ts';
import type { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';

/** What checking one object may cost. A unit is about a nanosecond. */
export const MOST_UNITS = 100_000_000;
/** What it costs to hold one value against one schema. */
export const UNITS_A_VALUE = 300;

type Report = (problems: Problems) => void;

/** Under what a problem is told that concerns several schemas of one value. */
const NO_FIELD = '<nil>';

/** What is wrong with a value. Not all of it need be told: of several ways to fail, the one that came closest counts. */
export class Findings {
  readonly #reports: Report[] = [];
  /** How many values were found to be as their schema wants them. */
  matches = 0;

  get isEmpty(): boolean {
    return this.#reports.length === 0;
  }

  required(path: Path): void {
    this.#reports.push((problems) => problems.required(path));
  }

  /** `wanted`: a type, or a format. */
  wrongType(path: Path, wanted: string, found: string): void {
    this.#reports.push((problems) =>
      problems.typeInvalid(path, found, `${path} in body must be of type ${wanted}: ${JSON.stringify(found)}`),
    );
  }

  invalid(path: Path, value: unknown, what: string): void {
    this.#reports.push((problems) => problems.invalid(path, value, `${path} in body ${what}`));
  }

  notEnumerated(path: Path, value: unknown, enumerated: readonly string[]): void {
    this.#reports.push((problems) => problems.notEnumerated(path, value, enumerated));
  }

  tooLong(path: Path, maximum: number): void {
    this.#reports.push((problems) => problems.tooManyCharacters(path, maximum));
  }

  tooMany(path: Path, count: number, maximum: number): void {
    this.#reports.push((problems) => problems.tooMany(path, count, maximum));
  }

  /** A combination of schemas that the value does not satisfy. */
  unsatisfied(path: Path, what: string): void {
    this.#reports.push((problems) => problems.invalid(NO_FIELD, '', `"${path}" ${what}`));
  }

  add(others: Findings): void {
    for (const report of others.#reports) this.#reports.push(report);
    this.matches += others.matches;
  }

  report(problems: Problems): void {
    for (const report of this.#reports) report(problems);
  }
}

/** One object that is being checked: what that may still cost, and how far it has come. */
export class Checking {
  readonly meter = new Meter(MOST_UNITS);
  #at: Path | undefined;

  /** Notes that the value in this place is being held against a schema. */
  visit(path: Path): void {
    this.#at = path;
    this.meter.spend(UNITS_A_VALUE);
  }

  /** The place that was looked at last. */
  get place(): Path | string {
    return this.#at ?? '';
  }
}
