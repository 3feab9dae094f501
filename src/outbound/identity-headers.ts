import { badRequest } from '../api/errors.ts';
import type { UserInfo } from '../api/user.ts';

/** The headers in which one server tells another who asks. */
export interface IdentityHeaderNames {
  readonly user: string;
  readonly group: string;
  readonly uid: string;
  readonly extraPrefix: string;
}

/** As servers of the field expect them unless they are told otherwise. */
export const REMOTE_HEADERS: IdentityHeaderNames = {
  user: 'X-Remote-User',
  group: 'X-Remote-Group',
  uid: 'X-Remote-Uid',
  extraPrefix: 'X-Remote-Extra-',
};

/** Servers take some 16 KiB of headers; what else a request has must fit in beside these. */
const MOST_BYTES = 12 * 1024;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no header can hold
const CONTROL = /[\x00-\x1f\x7f]/;

/** Who a user is, names and values in turn. Throws 400 for one whom headers cannot tell. */
export function identityHeadersOf(user: UserInfo, names: IdentityHeaderNames): string[] {
  const headers: string[] = [names.user, headerValueOf(user.name)];
  if (user.uid !== '') headers.push(names.uid, headerValueOf(user.uid));
  for (const group of user.groups) headers.push(names.group, headerValueOf(group));
  for (const [key, values] of user.extra) {
    const name = names.extraPrefix + escapedKey(key);
    for (const value of values) headers.push(name, headerValueOf(value));
  }
  const length = headers.reduce((sum, text) => sum + text.length, 0);
  if (length > MOST_BYTES)
    throw badRequest(`the user's groups and extras are longer than ${MOST_BYTES} bytes together`);
  return headers;
}

/** Text travels as UTF-8, which Node writes when every byte of it is a character. */
function headerValueOf(text: string): string {
  if (CONTROL.test(text)) throw badRequest('a control character in who asks cannot be passed on to another server');
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Everything that is not a letter, a digit or one of `-._~!*'` is an escape: names of headers hold nothing else. */
const escapedKey = (key: string): string =>
  encodeURIComponent(key).replace(/[()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
