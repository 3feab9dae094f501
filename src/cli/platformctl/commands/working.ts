import type { CommandTable } from '../frame/command.ts';

/** Commands that watch over, explain and operate what there is. */
export const WORKING: CommandTable = {};
