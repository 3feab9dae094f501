import type { Mutation } from '../support/battery.mjs';

export const INFORMER_MUTATIONS: Readonly<Record<string, Mutation>>;

export const FIRST_SEEDS: Readonly<Record<string, number>>;
