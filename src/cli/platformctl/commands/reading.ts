import type { CommandTable } from '../frame/command.ts';
import { QUICK } from './quick.ts';

/** Commands that look at what there is. */
export const READING: CommandTable = {
  ...QUICK,
  'api-resources': {
    summary: 'Show the resources that the plane serves',
    load: async () => (await import('./api-resources.ts')).apiResources,
  },
  'api-versions': {
    summary: 'Show the versions of the interfaces that the plane serves, as group/version',
    load: async () => (await import('./api-versions.ts')).apiVersions,
  },
  'cluster-info': {
    summary: 'Show where the plane is',
    load: async () => (await import('./cluster-info.ts')).clusterInfo,
  },
  'cluster-info dump': {
    summary: 'Print what helps to find out what is wrong with a plane',
    load: async () => (await import('./cluster-info-dump.ts')).clusterInfoDump,
  },
  completion: {
    summary: 'Print the script that completes lines in a shell',
    load: async () => (await import('./completion.ts')).completion,
  },
  explain: {
    summary: 'Describe a kind of objects and its fields',
    load: async () => (await import('./explain.ts')).explain,
  },
  version: {
    summary: 'Show the versions of this program and of the plane',
    load: async () => (await import('./version.ts')).version,
  },
};
