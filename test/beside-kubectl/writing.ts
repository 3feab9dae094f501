import type { Case } from './cases.ts';

export const WRITING_CASES: readonly Case[] = [];
