import type { RequestInfo } from '../../request/request-info.ts';
import type { Histogram } from './distributions.ts';
import type { Recorder } from './recorder.ts';

const USUAL = 'Warn';

/** Counts how long writes take, by what they want to happen with fields that nobody knows. */
export class FieldValidationMetrics {
  readonly #byDirective: ReadonlyMap<string, Histogram>;
  readonly #invalid: Histogram;

  constructor(recorder: Recorder) {
    const of = (directive: string): Histogram =>
      recorder.histogram('field_validation_request_duration_seconds', [directive, 'true']);
    this.#byDirective = new Map(['Ignore', 'Warn', 'Strict'].map((directive) => [directive, of(directive)]));
    this.#invalid = of('invalid');
  }

  observe({ query }: RequestInfo, seconds: number): void {
    const directive = query.get('fieldValidation') || USUAL;
    (this.#byDirective.get(directive) ?? this.#invalid).observe(seconds);
  }
}
