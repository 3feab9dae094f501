import { TEXT_UNITS } from '../values/meter.ts';
import { Failure } from '../values/values.ts';
import { bytes, global, type Library, text } from './signature.ts';

const units = (size: number): number => Math.ceil(size * TEXT_UNITS);
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes that a text stands for; padding may be left out. Undefined when it is no base64. */
export function decodeBase64(value: string): Uint8Array | undefined {
  const isPadded = !value.endsWith('=') || value.length % 4 === 0;
  return isPadded && BASE64.test(value) ? Uint8Array.from(Buffer.from(value, 'base64')) : undefined;
}

export const encoders: Library = {
  'base64.encode': [
    global([bytes], text, (_, value) => Buffer.from(value).toString('base64'), {
      units,
      resultSize: (size) => 2 * size + 4,
    }),
  ],
  'base64.decode': [
    global([text], bytes, (_, value) => decodeBase64(value) ?? new Failure('illegal base64 data'), {
      units,
      resultSize: (size) => size,
    }),
  ],
};
