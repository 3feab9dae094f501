import type { Attributes, Decision } from '../../authorization/attributes.ts';

/** What is known of a request that authorization refused. */
export interface Refusal {
  readonly attributes: Attributes;
  readonly decision: Decision;
  /** What the client was told. */
  readonly message: string;
  /** The modes there were, in order. */
  readonly modes: readonly string[];
  /** Who asked as the one that was refused; '' where nobody did. */
  readonly impersonator: string;
  readonly auditId: string;
}

/** A refusal that is remembered, however often the very same came. */
export interface KeptDenial {
  readonly id: string;
  /** Who sent it, whoever they acted as. */
  readonly caller: string;
  /** What tells it from the caller's others. */
  readonly key: string;
  /** What it takes without its user. */
  readonly bytes: number;
  /** The latest. */
  readonly refusal: Refusal;
  readonly count: number;
  /** Monotonic milliseconds. */
  readonly firstMs: number;
  readonly lastMs: number;
}
