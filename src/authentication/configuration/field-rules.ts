import type { NamedExpression, NamedValues } from '../../cel/named-values.ts';
import type { Type } from '../../cel/types/type.ts';
import type { ConfigurationFields } from '../../codec/configuration-fields.ts';
import { dns1123Subdomain } from '../../meta/formats.ts';

/** How much one document may hold of each. */
export const MOST_ISSUERS = 64;
export const MOST_AUDIENCES = 64;
export const MOST_RULES = 64;
export const MOST_MAPPINGS = 64;
export const MOST_PATHS = 64;

/** The expression of a field, which must be there. Throws an Error that begins with the path of the field. */
export function compileField(
  fields: ConfigurationFields,
  name: string,
  about: NamedValues,
  wanted: readonly Type[],
): NamedExpression {
  const source = fields.requiredText(name);
  try {
    return about.compile(source, wanted);
  } catch (error) {
    throw fields.problem(name, error instanceof Error ? error.message : String(error));
  }
}

/** `example.com/level`: a domain and a path, so that nobody's keys are taken for those of others. */
export function extraKey(entry: ConfigurationFields): string {
  const key = entry.requiredText('key');
  const slash = key.indexOf('/');
  const [domain, path] = [key.slice(0, slash), key.slice(slash + 1)];
  if (slash < 1 || dns1123Subdomain(domain) !== undefined || !/^[a-z0-9!$&'()*+,;=:@._~/-]+$/.test(path)) {
    throw entry.problem('key', 'must be a domain in lower case, a slash and a path, such as example.com/level');
  }
  return key;
}

/** An address that others are asked at: https, without user, query and fragment. */
export function httpsAddress(fields: ConfigurationFields, name: string): string {
  const address = fields.requiredText(name);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:') throw fields.problem(name, `must be an https URL, not "${address.slice(0, 200)}"`);
  if (url.username !== '' || url.password !== '') throw fields.problem(name, 'must not contain a username or password');
  if (url.search !== '' || address.includes('?')) throw fields.problem(name, 'must not contain a query');
  if (url.hash !== '' || address.includes('#')) throw fields.problem(name, 'must not contain a fragment');
  return address;
}
