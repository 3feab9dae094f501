import { global, type Library, text } from './signature.ts';

const growing = { units: (size: number) => size, resultSize: (size: number) => 2 * size };

/** For keys in the paths of JSON patches. */
export const patchLibrary: Library = {
  'jsonpatch.escapeKey': [global([text], text, (_, key) => key.replaceAll('~', '~0').replaceAll('/', '~1'), growing)],
};
