import type { UserInfo } from '../api/user.ts';
import { RememberedAnswers } from '../outbound/remembered-answers.ts';
import { type Json, objectIn, type ReviewService, textsIn } from '../outbound/review-service.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { authenticated } from './authenticator.ts';
import type { TokenMethod, TokenOwner } from './bearer-tokens.ts';
import type { CredentialMeter } from './credential-meter.ts';

export interface TokenWebhookOptions {
  readonly service: ReviewService;
  /** Group and version of the reviews. */
  readonly apiVersion: string;
  readonly cacheTtlMs: number;
  /** What this server is called as an audience: that of answers which name none. */
  readonly own: readonly string[];
  /** False: the service is not told for whom tokens must be; it knows. */
  readonly namesAudiences?: boolean;
  readonly runtime: Runtime;
  readonly meter?: CredentialMeter | undefined;
  readonly onError: (error: unknown) => void;
}

/** Asks a remote service whose a token is. */
export class TokenWebhook implements TokenMethod {
  readonly #options: TokenWebhookOptions;
  readonly #owners: RememberedAnswers<TokenOwner | undefined>;

  constructor(options: TokenWebhookOptions) {
    const { cacheTtlMs, runtime } = options;
    this.#options = options;
    const isYes = (owner: TokenOwner | undefined): boolean => owner !== undefined;
    this.#owners = new RememberedAnswers({
      name: 'token-webhook',
      isYes,
      yesMs: cacheTtlMs,
      noMs: cacheTtlMs,
      runtime,
    });
  }

  ownerOf(token: string, audiences: readonly string[]): TokenOwner | undefined | Promise<TokenOwner | undefined> {
    const question = JSON.stringify([token, ...audiences]);
    const { runtime, meter } = this.#options;
    const began = runtime.monotonic();
    let isShared = true;
    const owner = this.#owners.answerTo(question, () => {
      isShared = false;
      return this.#ask(token, audiences);
    });
    if (!(owner instanceof Promise)) {
      meter?.tokenKnown(began);
      return owner;
    }
    const ended = meter?.tokenAsked(began, isShared);
    return owner.then(
      (found) => {
        ended?.(true);
        return found;
      },
      (error) => {
        ended?.(false);
        // A service that is away vouches for nobody.
        return this.#fail(error);
      },
    );
  }

  #fail(error: unknown): undefined {
    this.#options.onError(error);
  }

  async #ask(token: string, audiences: readonly string[]): Promise<TokenOwner | undefined> {
    const { service, apiVersion, own, namesAudiences = true } = this.#options;
    const spec = namesAudiences ? { token, audiences } : { token };
    const status = await service.statusOf({ apiVersion, kind: 'TokenReview', spec });
    const { authenticated: isKnown, user, audiences: named } = status;
    if (isKnown !== true) return undefined;
    const good = namesAudiences ? textsIn(named) : [];
    const meant = audiences.filter((audience) => (good.length > 0 ? good : own).includes(audience));
    const found = userIn(objectIn(user));
    return found && meant.length > 0 ? { user: found, audiences: meant } : undefined;
  }
}

function userIn({ username, uid, groups, extra }: Json): UserInfo | undefined {
  if (typeof username !== 'string' || username === '') return undefined;
  return authenticated({
    name: username,
    uid: typeof uid === 'string' ? uid : '',
    groups: textsIn(groups),
    extra: new Map(Object.entries(objectIn(extra)).map(([key, values]) => [key, textsIn(values)])),
  });
}
