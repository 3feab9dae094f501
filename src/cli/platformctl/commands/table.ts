import type { CommandTable } from '../frame/command.ts';
import { CONFIGURING } from './configuring.ts';
import { READING } from './reading.ts';
import { STREAMING } from './streaming.ts';
import { WORKING } from './working.ts';
import { WRITING } from './writing.ts';

/** Everything platformctl does, by the words that ask for it. */
export const COMMANDS: CommandTable = { ...READING, ...WRITING, ...WORKING, ...STREAMING, ...CONFIGURING };
