import type * as InformerHistory from './informer-history.ts';

/** A file below `src/client`, a text that is in it once, and what takes its place. */
export type Mutation = readonly [path: string, from: string, to: string];

export const INFORMER_MUTATIONS: Readonly<Record<string, Mutation>>;

export const FIRST_SEEDS: Readonly<Record<string, number>>;

export function loadBattery(entry: 'informer-history.ts', mutation?: Mutation): Promise<typeof InformerHistory>;
