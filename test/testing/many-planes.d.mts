import type * as client from '../../src/client/index.ts';
import type * as testing from '../../src/testing/index.ts';

export interface ManyPlanes {
  readonly seconds: number;
  /** Bytes, at each mark. */
  readonly held: readonly number[];
  /** Kinds of what was open. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export function startMany(
  count: number,
  marks: readonly number[],
  modules: { readonly testing: typeof testing; readonly client: typeof client },
): Promise<ManyPlanes>;
