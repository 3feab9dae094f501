import { configMapKey } from '../../../meta/formats.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { sameValue } from '../../../schema/same-value.ts';
import type { ConfigMap } from './config-map.ts';

const DATA = Path.of('data');
const BINARY_DATA = Path.of('binaryData');

/** All values of a config map or a secret together. */
export const LARGEST_DATA = 1024 * 1024;

/** Bytes that base64 text in its canonical form stands for. */
export function decodedLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

export function validateKeys(data: object | undefined, path: Path, problems: Problems): void {
  for (const key in data) {
    const problem = configMapKey(key);
    if (problem !== undefined) problems.invalid(path.key(key), key, problem);
  }
}

export function validateConfigMap({ data = {}, binaryData = {} }: ConfigMap, problems: Problems): void {
  validateKeys(data, DATA, problems);
  validateKeys(binaryData, BINARY_DATA, problems);
  let size = 0;
  for (const key in data) {
    if (Object.hasOwn(binaryData, key)) {
      problems.invalid(DATA.key(key), key, 'duplicate of key present in binaryData');
    }
    size += Buffer.byteLength(data[key] ?? '');
  }
  for (const key in binaryData) size += decodedLength(binaryData[key] ?? '');
  if (size > LARGEST_DATA) problems.tooLong('[]', LARGEST_DATA);
}

const FROZEN = 'field is immutable when `immutable` is set';

type Freezable<F extends string> = { readonly [K in F]?: unknown } & { readonly immutable?: boolean };

/** Once immutable, always immutable, and so are the named fields. */
export function validateFrozen<F extends string>(
  object: Freezable<F>,
  old: Freezable<F>,
  fields: readonly F[],
  problems: Problems,
): void {
  if (!old.immutable) return;
  if (!object.immutable) problems.forbidden('immutable', FROZEN);
  for (const field of fields) if (!sameValue(object[field], old[field])) problems.forbidden(field, FROZEN);
}

export function validateConfigMapUpdate(map: ConfigMap, old: ConfigMap, problems: Problems): void {
  validateFrozen(map, old, ['data', 'binaryData'], problems);
}
