import { IMMUTABLE } from '../../../meta/field-rules.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import { Path } from '../../../schema/path.ts';
import { type Problems, REDACTED } from '../../../schema/problems.ts';
import { decodedLength, LARGEST_DATA, validateFrozen, validateKeys } from './config-map-validation.ts';
import type { Secret } from './secret.ts';

const DATA = Path.of('data');
const ANNOTATIONS = Path.of('metadata', 'annotations');

export function validateSecret(secret: Secret, problems: Problems, context: HookContext): void {
  const { data = {} } = secret;
  validateKeys(data, DATA, problems);
  let size = 0;
  for (const key in data) size += decodedLength(data[key] ?? '');
  if (size > LARGEST_DATA) problems.tooLong(DATA, LARGEST_DATA);
  validateType(secret, problems, context);
}

/** A type that is known promises some keys. */
function validateType({ type, data = {}, metadata }: Secret, problems: Problems, { vocabulary }: HookContext): void {
  const { secretTypes, annotations } = vocabulary;
  const missing = (key: string): void => problems.required(DATA.key(key));
  switch (type) {
    case secretTypes.serviceAccountToken:
      if (!metadata.annotations?.[annotations.serviceAccountName]) {
        problems.required(ANNOTATIONS.key(annotations.serviceAccountName));
      }
      break;
    case secretTypes.dockercfg:
      validateJson(data['.dockercfg'], '.dockercfg', problems);
      break;
    case secretTypes.dockerconfigjson:
      validateJson(data['.dockerconfigjson'], '.dockerconfigjson', problems);
      break;
    case secretTypes.basicAuth:
      if (data.username === undefined && data.password === undefined) ['username', 'password'].forEach(missing);
      break;
    case secretTypes.sshAuth:
      if (!data['ssh-privatekey']) missing('ssh-privatekey');
      break;
    case secretTypes.tls:
      for (const key of ['tls.crt', 'tls.key']) if (data[key] === undefined) missing(key);
      break;
  }
}

function validateJson(base64: string | undefined, key: string, problems: Problems): void {
  if (base64 === undefined) problems.required(DATA.key(key));
  else if (!isJsonObject(Buffer.from(base64, 'base64').toString())) {
    problems.invalid(DATA.key(key), REDACTED, 'must be a JSON object');
  }
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value);
  } catch {
    return false;
  }
}

export function validateSecretUpdate(secret: Secret, old: Secret, problems: Problems): void {
  if ((secret.type ?? '') !== (old.type ?? '')) problems.invalid('type', secret.type ?? '', IMMUTABLE);
  validateFrozen(secret, old, ['data'], problems);
}
