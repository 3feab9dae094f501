import { badRequest } from '../api/errors.ts';
import { headerList, headerText } from '../http/headers.ts';
import type { HttpRequest } from '../http/message.ts';

/** Every value of a header that names users or groups, in the order sent. `name` is lower case. Throws 400 for bytes that are no text. */
export const identityValues = (request: HttpRequest, name: string): string[] =>
  headerList(request, name).map((value) => textOf(name, value));

/**
 * What headers tell about a user beyond name and groups: what follows one of the prefixes, in lower case and
 * percent-decoded, is the key, and every such header is a value. Prefixes are lower case.
 */
export function extraValues({ rawHeaders }: HttpRequest, prefixes: readonly string[]): Map<string, string[]> {
  const extra = new Map<string, string[]>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    const prefix = prefixes.find((one) => name.startsWith(one) && name.length > one.length);
    if (prefix === undefined) continue;
    const key = decoded(name.slice(prefix.length));
    const value = textOf(name, rawHeaders[at + 1] ?? '');
    const values = extra.get(key);
    if (values) values.push(value);
    else extra.set(key, [value]);
  }
  return extra;
}

function textOf(name: string, value: string): string {
  const text = headerText(value);
  if (text === undefined) throw badRequest(`the value of header ${name} is not UTF-8`);
  return text.trim();
}

/** A name with a percent sign that is no escape stands for itself. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
