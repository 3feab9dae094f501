/** Stands in the place of a secret; in `data` of a Secret as base64, so that a recording can be played again. */
const HIDDEN = 'hidden';
const HIDDEN_BASE64 = Buffer.from(HIDDEN).toString('base64');

/** Kinds whose bodies are not kept when they cannot be read as JSON. */
const SECRET_RESOURCES: ReadonlySet<string> = new Set(['secrets', 'tokenreviews', 'serviceaccounts/token']);

const TOKEN_FIELDS: ReadonlySet<string> = new Set(['token', 'password', 'clientKeyData', 'client-key-data']);

type Json = null | boolean | number | string | readonly Json[] | { readonly [field: string]: Json };

/** Whether bodies of requests for a resource may hold secrets: `secrets`, `serviceaccounts/token`. */
export const holdsSecrets = (resource: string, subresource: string): boolean =>
  SECRET_RESOURCES.has(subresource === '' ? resource : `${resource}/${subresource}`) || resource === 'secrets';

/** The same value without secrets: what Secrets hold, tokens and passwords wherever they are in such a body. */
export function withoutSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map((one: Json) => (isPatchStep(one) ? hiddenStep(one) : withoutSecrets(one)));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, one]): [string, Json] => {
      if (field === 'data') return [field, hiddenValues(one, HIDDEN_BASE64)];
      if (field === 'stringData') return [field, hiddenValues(one, HIDDEN)];
      if (TOKEN_FIELDS.has(field) && typeof one === 'string') return [field, HIDDEN];
      // What a client applied by itself is kept there once more.
      if (field.endsWith('/last-applied-configuration')) return [field, HIDDEN];
      return [field, withoutSecrets(one)];
    }),
  );
}

const hiddenValues = (value: Json, hidden: string): Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, one === null ? null : hidden]))
    : value;

type PatchStep = { readonly op: Json; readonly path: string; readonly value?: Json };

const isPatchStep = (value: Json): value is PatchStep =>
  value !== null && typeof value === 'object' && 'op' in value && 'path' in value && typeof value.path === 'string';

/** A step of a JSON patch says in its path what its value is. */
function hiddenStep(step: PatchStep): Json {
  const { value, ...rest } = step;
  if (value === undefined) return rest;
  const [, first = '', ...deeper] = step.path.split('/');
  const hidden = first === 'data' ? HIDDEN_BASE64 : HIDDEN;
  if (first !== 'data' && first !== 'stringData') return { ...rest, value: withoutSecrets(value) };
  return { ...rest, value: deeper.length > 0 ? hidden : hiddenValues(value, hidden) };
}
