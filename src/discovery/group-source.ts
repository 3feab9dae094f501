import type { ServedGroup } from '../registry/catalogue.ts';

/** The groups and versions that clients can ask for, whoever answers. */
export interface GroupSource {
  /** Grows with every change. */
  readonly revision: number;
  /** By preference. */
  groups(): readonly ServedGroup[];
}
