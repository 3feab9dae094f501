import type { CommandTable } from '../frame/command.ts';

/** Commands that look at what there is. */
export const READING: CommandTable = {
  get: {
    summary: 'Show objects: as a table, or as -o says',
    load: async () => (await import('./get.ts')).get,
  },
  'api-versions': {
    summary: 'Show the versions of the interfaces that the plane serves, as group/version',
    load: async () => (await import('./api-versions.ts')).apiVersions,
  },
};
