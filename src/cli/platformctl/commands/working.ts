import type { CommandTable } from '../frame/command.ts';

/** Commands that watch over, explain and operate what there is. */
export const WORKING: CommandTable = {
  describe: {
    summary: 'Show what there is to know about an object or a group of them',
    load: async () => (await import('./describe.ts')).describe,
  },
};
