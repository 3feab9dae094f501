import { vocabularyNames } from '../vocabulary/vocabulary.ts';
import { choice, type Flag, type FlagValues, integer, list, optionalText, text } from './flag.ts';

/** The flags of `platform-apiserver migrate-storage`. */
export const MIGRATE_STORAGE_FLAGS = {
  kubeconfig: text('kubeconfig', 'FILE', '', 'client configuration that says where the plane is, and who asks'),
  vocabulary: choice('vocabulary', vocabularyNames, 'platform', 'which names the plane speaks'),
  resources: list(
    'resources',
    'NAMES',
    [],
    'what to store anew, such as secrets,deployments.apps; by default everything',
  ),
  state: optionalText('state', 'FILE', 'where to note how far it is, and to go on from when it is there'),
  parallel: integer('parallel', 1, 64, 4, 'how many objects are written at the same time'),
} as const satisfies Record<string, Flag<unknown>>;

export type MigrateStorageSettings = FlagValues<typeof MIGRATE_STORAGE_FLAGS>;
