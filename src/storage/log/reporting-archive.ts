import type { Archive } from '../backend.ts';

/** The archive, with its failures reported as well as thrown: not everyone who reads can tell of them. */
export function reporting({ read, lend }: Archive, onError: (error: unknown) => void): Archive {
  const reported =
    (get: Archive['read']): Archive['read'] =>
    (revision, key) => {
      try {
        return get(revision, key);
      } catch (error) {
        onError(error);
        throw error;
      }
    };
  return { read: reported(read), ...(lend && { lend: reported(lend) }) };
}
