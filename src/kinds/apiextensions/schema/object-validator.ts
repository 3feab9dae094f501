import { Exhausted } from '../../../cel/values/meter.ts';
import { atOnce, type Steps } from '../../../runtime/pacing.ts';
import { Path } from '../../../schema/path.ts';
import { Problems } from '../../../schema/problems.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { embeddedResources } from './embedded-resources.ts';
import { Checking, Findings, MOST_UNITS, MOST_UNITS_OF_ATTEMPTS } from './findings.ts';
import { repeatedItems } from './list-items.ts';
import type { Walk } from './schema-walk.ts';
import { ValueValidator } from './value-validator.ts';

interface Walks {
  readonly embedded: Walk | undefined;
  readonly repeated: Walk | undefined;
}

const ROOT = Path.of('');

/** Holds whole objects against the schema of their version. */
export class ObjectValidator {
  readonly #source: JSONSchemaProps;
  readonly #vocabulary: Vocabulary;
  readonly #values: ValueValidator;
  #walks: Walks | undefined;

  constructor(
    source: JSONSchemaProps,
    { vocabulary, ratcheting = false }: { readonly vocabulary: Vocabulary; readonly ratcheting?: boolean },
  ) {
    this.#source = source;
    this.#vocabulary = vocabulary;
    this.#values = new ValueValidator(source, { vocabulary, ratcheting });
  }

  validate(object: unknown, problems: Problems, old?: object): void {
    atOnce(this.validateInSteps(object, problems, old));
  }

  *validateInSteps(object: unknown, problems: Problems, old?: object): Steps<void> {
    yield* this.#checkValues(object, problems, old);
    this.#walks ??= {
      embedded: embeddedResources(this.#source, this.#vocabulary),
      repeated: repeatedItems(this.#source, this.#vocabulary),
    };
    const { embedded, repeated } = this.#walks;
    yield;
    embedded?.(object, ROOT, problems);
    yield;
    if (repeated && !(old && hasProblems(repeated, old))) repeated(object, ROOT, problems);
  }

  /** What takes too long to check is refused: it holds up everybody else. */
  *#checkValues(object: unknown, problems: Problems, old: object | undefined): Steps<void> {
    const checking = new Checking();
    const findings = new Findings();
    try {
      this.#values.check(object, old, ROOT, findings, checking);
      yield* checking.later.all();
    } catch (error) {
      if (!(error instanceof Exhausted)) throw error;
      problems.add(checking.place, 'FieldValueInvalid', TOO_COSTLY);
      return;
    }
    yield* findings.report(problems);
  }
}

const TOO_COSTLY =
  `Invalid value: checking the object against its schema takes more than ${MOST_UNITS} steps, ` +
  `or more than ${MOST_UNITS_OF_ATTEMPTS} for one value and a combination of schemas`;

/** Items that were there twice before, because the list had no such rule then, do not keep anybody from updates. */
function hasProblems(walk: Walk, object: object): boolean {
  const problems = new Problems();
  walk(object, ROOT, problems);
  return problems.count > 0;
}
