import type { CommandTable } from '../frame/command.ts';
import { CREATING } from './creating.ts';

/** Commands that change what there is. */
export const WRITING: CommandTable = {
  ...CREATING,
};
