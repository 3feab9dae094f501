import { hash, timingSafeEqual } from 'node:crypto';
import { type UserInfo, userNamed } from '../user.ts';
import { authenticated } from './authenticator.ts';

const digest = (token: string): Buffer => hash('sha256', token, 'buffer');

/**
 * Static tokens: `token,user,uid,"group1,group2"`, one a line; groups may as well stand in columns of their own. Fixed
 * until the server is started again.
 */
export class TokenFile {
  private readonly users = new Map<string, { readonly digest: Buffer; readonly user: UserInfo }>();

  /** `source` names the file in errors. */
  constructor(text: string, source: string) {
    text.split(/\r?\n/).forEach((line, at) => {
      if (line.trim() !== '') this.add(line, `${source}:${at + 1}`);
    });
  }

  find(token: string): UserInfo | undefined {
    const presented = digest(token);
    // Found by a part of the digest, then compared in constant time: neither step tells how much of a token was right.
    const entry = this.users.get(presented.toString('latin1', 0, 8));
    return entry && timingSafeEqual(entry.digest, presented) ? entry.user : undefined;
  }

  private add(line: string, place: string): void {
    const fields = parseCsvLine(line);
    if (!fields) throw new Error(`${place}: a quote is not closed, or stands inside a value`);
    const [token = '', name = '', uid = '', ...columns] = fields;
    if (token === '' || name === '' || uid === '') {
      throw new Error(`${place}: a token line has at least three columns: token, user name, user uid`);
    }
    const secret = digest(token);
    const groups = columns.flatMap((column) => column.split(',')).map((group) => group.trim());
    const named = groups.filter((group) => group !== '');
    const user = authenticated(userNamed(name, named, uid));
    this.users.set(secret.toString('latin1', 0, 8), { digest: secret, user });
  }
}

/**
 * One line of comma-separated values; a quoted one may hold commas, and doubled quotes. Undefined when a quote is
 * out of place: what stands there may be a secret, so nothing of it is told.
 */
export function parseCsvLine(line: string): string[] | undefined {
  const fields: string[] = [];
  const field = /\s*(?:"((?:[^"]|"")*)"|([^,"]*))\s*(,|$)/y;
  for (;;) {
    const match = field.exec(line);
    if (!match) return undefined;
    fields.push(match[1] === undefined ? (match[2] ?? '').trim() : match[1].replaceAll('""', '"'));
    if (match[3] !== ',') return fields;
  }
}
