import type { CommandTable } from '../frame/command.ts';
import { CREATING } from './creating.ts';

/** Commands that change what there is. */
export const WRITING: CommandTable = {
  ...CREATING,
  delete: {
    summary: 'Delete objects by file, by name, or by labels',
    load: async () => (await import('./delete/delete.ts')).deleteCommand,
  },
  patch: {
    summary: 'Change fields of objects',
    load: async () => (await import('./patch.ts')).patch,
  },
  replace: {
    summary: 'Replace objects with what files hold',
    load: async () => (await import('./replace.ts')).replace,
  },
  label: {
    summary: 'Change labels of objects',
    load: async () => (await import('./metadata/label.ts')).label,
  },
  annotate: {
    summary: 'Change annotations of objects',
    load: async () => (await import('./metadata/annotate.ts')).annotate,
  },
};
