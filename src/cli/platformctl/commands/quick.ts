import type { CommandTable } from '../frame/command.ts';

/** What people type all day: in a file of its own, which takes a fraction of the time that all commands take to load. */
export const QUICK: CommandTable = {
  get: {
    summary: 'Show objects: as a table, or as -o says',
    load: async () => (await import('./get.ts')).get,
  },
};
