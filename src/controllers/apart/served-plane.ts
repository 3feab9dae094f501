import type { InformedPlane } from '../../client/informing/informed-plane.ts';

/** A plane that loops are run beside. */
export interface ServedPlane extends InformedPlane {
  /** What went wrong is tried again; this is for the log. */
  onError(resource: string, error: unknown): void;
}
