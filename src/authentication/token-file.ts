import { timingSafeEqual } from 'node:crypto';
import { type UserInfo, userNamed } from '../api/user.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { authenticated } from './authenticator.ts';

interface Known {
  readonly token: Buffer;
  readonly user: UserInfo;
}

/**
 * Static tokens: `token,user,uid,"group1,group2"`, one a line; groups may as well stand in columns of their own. Fixed
 * until the server is started again.
 */
export class TokenFile {
  readonly #known = new Map<number, readonly Known[]>();
  readonly #seed: number;

  /** `source` names the file in errors. */
  constructor(text: string, source: string, runtime: Runtime) {
    this.#seed = runtime.bytes(4).readInt32LE();
    text.split(/\r?\n/).forEach((line, at) => {
      if (line.trim() !== '') this.#add(line, `${source}:${at + 1}`);
    });
  }

  find(token: string): UserInfo | undefined {
    // Most tokens on the wire are looked for with every request: a digest would cost more than all the rest of this.
    const candidates = this.#known.get(this.#placeOf(token));
    if (!candidates) return undefined;
    const presented = Buffer.from(token);
    return candidates.find((one) => isSame(one.token, presented))?.user;
  }

  /** Scattered by a secret seed: that something is found in a place tells nothing about the tokens in it. */
  #placeOf(token: string): number {
    let place = this.#seed;
    for (let at = 0; at < token.length; at++) {
      place = Math.imul(place ^ token.charCodeAt(at), 0x5bd1e995);
      place ^= place >>> 15;
    }
    return place;
  }

  #add(line: string, where: string): void {
    const fields = parseCsvLine(line);
    if (!fields) throw new Error(`${where}: a quote is not closed, or stands inside a value`);
    const [token = '', name = '', uid = '', ...columns] = fields;
    if (token === '' || name === '' || uid === '') {
      throw new Error(`${where}: a token line has at least three columns: token, user name, user uid`);
    }
    const groups = columns.flatMap((column) => column.split(',')).map((group) => group.trim());
    const named = groups.filter((group) => group !== '');
    const user = authenticated(userNamed(name, named, uid));
    const place = this.#placeOf(token);
    // Of a token that is there twice, the last line counts.
    this.#known.set(place, [{ token: Buffer.from(token), user }, ...(this.#known.get(place) ?? [])]);
  }
}

const isSame = (known: Buffer, presented: Buffer): boolean =>
  known.length === presented.length && timingSafeEqual(known, presented);

/**
 * One line of comma-separated values; a quoted one may hold commas, and doubled quotes. Undefined when a quote is
 * out of place: what stands there may be a secret, so nothing of it is told.
 */
export function parseCsvLine(line: string): string[] | undefined {
  const fields: string[] = [];
  const field = /\s*(?:"((?:[^"]|"")*)"\s*|([^\s,"][^,"]*)?)(,|$)/y;
  for (;;) {
    const match = field.exec(line);
    if (!match) return undefined;
    fields.push(match[1] === undefined ? (match[2] ?? '').trim() : match[1].replaceAll('""', '"'));
    if (match[3] !== ',') return fields;
  }
}
