import type { Mutation } from '../support/battery.mjs';

export const LEADER_MUTATIONS: Readonly<Record<string, Mutation>>;
