import type { Case } from './cases.ts';

export const WORKING_CASES: readonly Case[] = [];
