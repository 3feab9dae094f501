import type { Archive } from '../backend.ts';

/** The archive, with its failures reported as well as thrown: not everyone who reads can tell of them. */
export function reporting(archive: Archive, onError: (error: unknown) => void): Archive {
  const reported = <T>(get: () => T): T => {
    try {
      return get();
    } catch (error) {
      onError(error);
      throw error;
    }
  };
  const read: Archive['read'] = (...which) => reported(() => archive.read(...which));
  if (!archive.lend) return { read };
  return { read, lend: (...which) => reported(() => archive.lend?.(...which)) };
}
