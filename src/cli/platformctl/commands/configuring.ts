import type { CommandTable } from '../frame/command.ts';

/** Commands that are about the configuration of clients. */
export const CONFIGURING: CommandTable = {};
