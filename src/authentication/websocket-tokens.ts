import { isUtf8 } from 'node:buffer';
import { unauthorized } from '../api/errors.ts';
import type { UserInfo } from '../api/user.ts';
import { headerList } from '../http/headers.ts';
import type { HttpRequest } from '../http/message.ts';
import type { Authenticator } from './authenticator.ts';
import type { BearerTokens } from './bearer-tokens.ts';

/** base64url, without padding. */
const ENCODED = /^[\w-]+$/;

/**
 * Tokens that pages show when they open a WebSocket, for which browsers let them set no header: as one of the protocols that
 * they offer, behind a prefix and beside one that is really spoken.
 */
export class WebSocketTokens implements Authenticator {
  readonly #prefix: string;
  readonly #tokens: BearerTokens;

  constructor(prefix: string, tokens: BearerTokens) {
    this.#prefix = prefix;
    this.#tokens = tokens;
  }

  authenticate(request: HttpRequest): UserInfo | undefined | Promise<UserInfo | undefined> {
    if (!request.canUpgrade) return undefined;
    const offered = headerList(request, 'sec-websocket-protocol').flatMap((value) =>
      value.split(',').map((protocol) => protocol.trim()),
    );
    const shown = offered.filter((protocol) => protocol.startsWith(this.#prefix));
    const [first] = shown;
    if (first === undefined) return undefined;
    if (shown.length > 1 || offered.length === 1) throw unauthorized();
    const found = this.#tokens.userOf(decoded(first.slice(this.#prefix.length)));
    return found instanceof Promise ? found.then(known) : known(found);
  }
}

function known(user: UserInfo | undefined): UserInfo {
  if (!user) throw unauthorized();
  return user;
}

function decoded(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  if (!ENCODED.test(text) || !isUtf8(bytes)) throw unauthorized();
  return bytes.toString('utf8');
}
