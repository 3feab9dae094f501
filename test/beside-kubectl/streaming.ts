import type { Case } from './cases.ts';

export const STREAMING_CASES: readonly Case[] = [];
