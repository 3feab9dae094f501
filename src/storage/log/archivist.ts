import type { Archive } from '../backend.ts';
import { ArchivedVersion } from './archived-version.ts';
import type { Collection } from './collection.ts';
import type { Archivist } from './history.ts';

/** Moves versions of collections to where they are in the store alone: in the archive. */
export function archivistFor(archive: Archive, collectionAt: (key: string) => Collection): Archivist {
  return {
    superseded(version) {
      const archived = new ArchivedVersion(version, archive);
      collectionAt(version.key).replace(archived);
      return archived;
    },
    deletion(version) {
      const archived = new ArchivedVersion(version, archive);
      return collectionAt(version.key).replaceDeletion(version, archived) ? archived : undefined;
    },
  };
}

/** The archive, with its failures reported as well as thrown: not everyone who reads can tell of them. */
export function reporting(archive: Archive, onError: (error: unknown) => void): Archive {
  return {
    read(revision, key) {
      try {
        return archive.read(revision, key);
      } catch (error) {
        onError(error);
        throw error;
      }
    },
  };
}
