import type { CommandTable } from '../frame/command.ts';

/** Commands that talk with what runs. */
export const STREAMING: CommandTable = {};
