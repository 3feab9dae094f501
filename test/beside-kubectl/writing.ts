import type { Case } from './cases.ts';
import { APPLY_CASES } from './writing-apply.ts';
import { CHANGE_CASES } from './writing-changes.ts';
import { CREATION_CASES } from './writing-creation.ts';
import { WORKLOAD_CASES } from './writing-workloads.ts';

export const WRITING_CASES: readonly Case[] = [...CREATION_CASES, ...CHANGE_CASES, ...APPLY_CASES, ...WORKLOAD_CASES];
