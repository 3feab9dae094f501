import { Meter } from '../../../cel/values/meter.ts';
import { Later, MANY_ENTRIES } from '../../../runtime/later.ts';
import type { Steps } from '../../../runtime/pacing.ts';
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
  readonly #reports: (Report | Findings)[] = [];
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

  /** Findings that are told in this place, whatever is found before they are. */
  later(): Findings {
    const found = new Findings();
    this.#reports.push(found);
    return found;
  }

  add(others: Findings): void {
    for (const report of others.#reports) this.#reports.push(report);
    this.matches += others.matches;
  }

  /** There may be very many. */
  *report(problems: Problems): Steps<void> {
    for (const [at, report] of this.#reports.entries()) {
      if (at % MANY_ENTRIES === MANY_ENTRIES - 1) yield;
      if (report instanceof Findings) yield* report.report(problems);
      else report(problems);
    }
  }
}

/** What a combination of schemas may cost for one value: it is looked at without a rest. */
export const MOST_UNITS_OF_ATTEMPTS = 3_000_000;
/** After so many there is a rest. */
const UNITS_A_STEP = 1_000_000;

/** One object that is being checked: what that may still cost, and how far it has come. */
export class Checking {
  readonly meter = new Meter(MOST_UNITS);
  /** Lists and maps that are still to be looked at. */
  readonly later = new Later();
  #at: Path | undefined;
  /** What there was to spend at the last rest. */
  #before = MOST_UNITS;
  #attempts = 0;
  #leastLeft = 0;

  /** Notes that the value in this place is being held against a schema. */
  visit(path: Path): void {
    this.#at = path;
    this.meter.spend(UNITS_A_VALUE);
    if (this.meter.left < this.#leastLeft) this.meter.spend(Number.POSITIVE_INFINITY);
  }

  /** Whether so much was done since the last rest that what comes next should wait for one. What is attempted cannot. */
  get isRestDue(): boolean {
    return this.#before - this.meter.left > UNITS_A_STEP && this.#attempts === 0;
  }

  *rest(): Steps<void> {
    this.#before = this.meter.left;
    yield;
  }

  /** From here on the value is held against all combinations of schemas there are for it. No closure: they nest deep. */
  beginAttempts(): void {
    if (this.#attempts++ === 0) this.#leastLeft = this.meter.left - MOST_UNITS_OF_ATTEMPTS;
  }

  endAttempts(): void {
    if (--this.#attempts === 0) this.#leastLeft = 0;
  }

  /** The place that was looked at last. */
  get place(): Path | string {
    return this.#at ?? '';
  }
}
