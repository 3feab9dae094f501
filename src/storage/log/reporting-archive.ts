import type { Archive } from '../backend.ts';

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
