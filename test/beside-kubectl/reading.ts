import { type Case, lines } from './cases.ts';

export const READING_CASES: readonly Case[] = [lines('versions of interfaces', 'api-versions')];
