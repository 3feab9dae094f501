import type { CommandTable } from '../frame/command.ts';

/** Commands that change what there is. */
export const WRITING: CommandTable = {};
