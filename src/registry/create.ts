import { ApiError, generatedNamesTaken } from '../api/errors.ts';
import { demandCreatable } from './creatable.ts';
import type { ResourceType } from './resource-type.ts';
import { Write, type WriteOptions, type WriteParts, type Written } from './write.ts';
import { changeObject } from './write-path.ts';

/** So many names are tried before a prefix counts as used up. */
const MOST_NAMES = 8;

/**
 * Makes a new object of a parsed document. Without a name it gets one from metadata.generateName, and another one when
 * that is taken.
 */
export async function create(
  parts: WriteParts,
  type: ResourceType,
  namespace: string,
  document: unknown,
  options: WriteOptions,
): Promise<Written> {
  demandCreatable(parts, type);
  const ref = { type, namespace, name: '', subresource: '' };
  for (let tries = 1; ; tries++) {
    const write = new Write(parts, ref, options, undefined, document);
    try {
      return madeBy(await changeObject(write));
    } catch (error) {
      if (!write.isNamedHere || !isTaken(error)) throw error;
      if (tries === MOST_NAMES) throw generatedNamesTaken(error);
    }
  }
}

const isTaken = (error: unknown): error is ApiError => error instanceof ApiError && error.reason === 'AlreadyExists';

/** Nobody can be faster with an object that is not there: that is an error, not a reason to try again. */
export function madeBy(written: Written | undefined): Written {
  if (!written) throw new TypeError('a new object was neither made nor refused');
  return written;
}
