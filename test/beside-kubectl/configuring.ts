import type { Case } from './cases.ts';

export const CONFIGURING_CASES: readonly Case[] = [];
