import type { Outbound } from '../client/outbound.ts';
import { type Runtime, sleep } from '../runtime.ts';
import type { UserInfo } from '../user.ts';
import { authenticated } from './authenticator.ts';
import type { TokenMethod, TokenOwner } from './bearer-tokens.ts';
import { RememberedOwners } from './remembered-owners.ts';

export interface TokenWebhookOptions {
  readonly outbound: Outbound;
  readonly url: URL;
  /** Shown to the remote service, if it wants one. */
  readonly bearer: string | undefined;
  /** Group and version of the reviews. */
  readonly apiVersion: string;
  readonly cacheTtlMs: number;
  /** What this server is called as an audience: that of answers which name none. */
  readonly own: readonly string[];
  readonly runtime: Runtime;
  readonly onError: (error: unknown) => void;
}

/** Before a call is given up. */
const DELAYS_MS = [500, 750, 1125];

type Json = Readonly<Record<string, unknown>>;

/** Asks a remote service whose a token is. */
export class TokenWebhook implements TokenMethod {
  readonly #options: TokenWebhookOptions;
  readonly #owners: RememberedOwners;

  constructor(options: TokenWebhookOptions) {
    this.#options = options;
    this.#owners = new RememberedOwners(options.cacheTtlMs, options.runtime);
  }

  ownerOf(token: string, audiences: readonly string[]): TokenOwner | undefined | Promise<TokenOwner | undefined> {
    const owner = this.#owners.ownerOf(token, audiences, () => this.#ask(token, audiences));
    // A service that is away vouches for nobody.
    return owner instanceof Promise ? owner.catch((error) => this.#fail(error)) : owner;
  }

  #fail(error: unknown): undefined {
    this.#options.onError(error);
  }

  async #ask(token: string, audiences: readonly string[]): Promise<TokenOwner | undefined> {
    const { apiVersion } = this.#options;
    const review = { apiVersion, kind: 'TokenReview', metadata: {}, spec: { token, audiences } };
    const answer = await this.#call(JSON.stringify(review));
    if (answer.apiVersion !== apiVersion || answer.kind !== 'TokenReview') {
      throw new Error(`the token webhook did not answer with a TokenReview of ${apiVersion}`);
    }
    return this.#ownerIn(objectIn(answer.status), audiences);
  }

  /** Tries again when the service could not answer, not when it answered something else than was hoped for. */
  async #call(body: string): Promise<Json> {
    const { outbound, url, bearer, runtime } = this.#options;
    const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    const headers = { 'content-type': 'application/json', ...authorization };
    for (let attempt = 0; ; attempt++) {
      const delay = DELAYS_MS[attempt];
      try {
        const reply = await outbound.send(url, { method: 'POST', headers, body });
        if (reply.status === 200 || reply.status === 201) return jsonIn(reply.body);
        if (delay === undefined || (reply.status < 500 && reply.status !== 429)) {
          throw new Rejected(`the token webhook answered ${reply.status}`);
        }
      } catch (error) {
        if (delay === undefined || error instanceof Rejected) throw error;
      }
      await sleep(runtime, delay);
    }
  }

  #ownerIn(
    { authenticated: isKnown, user, audiences: named }: Json,
    wanted: readonly string[],
  ): TokenOwner | undefined {
    if (isKnown !== true) return undefined;
    const good = textsIn(named);
    const audiences = wanted.filter((audience) => (good.length > 0 ? good : this.#options.own).includes(audience));
    const found = userIn(objectIn(user));
    return found && audiences.length > 0 ? { user: found, audiences } : undefined;
  }
}

/** An answer that asking again would not change. */
class Rejected extends Error {}

function jsonIn(bytes: Buffer): Json {
  try {
    return objectIn(JSON.parse(bytes.toString('utf8')));
  } catch {
    throw new Rejected('the token webhook did not answer with JSON');
  }
}

const objectIn = (value: unknown): Json => (typeof value === 'object' && value !== null ? { ...value } : {});

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

function userIn({ username, uid, groups, extra }: Json): UserInfo | undefined {
  if (typeof username !== 'string' || username === '') return undefined;
  return authenticated({
    name: username,
    uid: typeof uid === 'string' ? uid : '',
    groups: textsIn(groups),
    extra: new Map(Object.entries(objectIn(extra)).map(([key, values]) => [key, textsIn(values)])),
  });
}
