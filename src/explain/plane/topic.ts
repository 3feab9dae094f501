import type { Figure, Row } from './figure-rows.ts';

/** Something that is looked at every few seconds. */
export interface Topic {
  readonly name: string;
  readonly figures: readonly Figure[];
  /** Of how many things figures are kept. */
  readonly most: number;
  /** The figures of this moment; `seconds`: since the last look. */
  look(seconds: number): Iterable<Row>;
}

/** So little counts what does nothing, but is to be seen nevertheless. */
export const IDLE_WEIGHT = 1e-9;

export const PER_SECOND = '1/s';
export const MILLISECONDS = 'ms';
export const BYTES = 'bytes';
export const NUMBER = '';
