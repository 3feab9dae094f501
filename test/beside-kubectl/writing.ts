import type { Case } from './cases.ts';
import { CHANGE_CASES } from './writing-changes.ts';
import { CREATION_CASES } from './writing-creation.ts';

export const WRITING_CASES: readonly Case[] = [...CREATION_CASES, ...CHANGE_CASES];
