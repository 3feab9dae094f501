import type { TokenClaims, TokenSigner } from '../handlers/actions/token-request.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { signToken } from './jwt.ts';
import { boundClaims, type SecretClaims, secretClaims } from './service-account-claims.ts';
import type { TokenKey } from './token-keys.ts';

export interface SignerOptions {
  /** The private half. */
  readonly key: TokenKey;
  readonly issuer: string;
  /** What this server is called as an audience. */
  readonly audiences: readonly string[];
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
}

/** Makes the tokens that `ServiceAccountTokens` accepts. */
export class ServiceAccountSigner implements TokenSigner {
  readonly audiences: readonly string[];
  readonly #options: SignerOptions;

  constructor(options: SignerOptions) {
    this.#options = options;
    this.audiences = options.audiences;
  }

  async sign(wanted: TokenClaims): Promise<{ token: string; issued: number }> {
    const { issuer, runtime, vocabulary } = this.#options;
    const issued = Math.floor(runtime.now() / 1000);
    const expires = issued + wanted.expirationSeconds;
    const token = await this.#sign(boundClaims({ ...wanted, issuer, issued, expires }, vocabulary));
    return { token, issued };
  }

  /** A token to be kept in a secret: it is good until the secret or the account goes. */
  signForSecret(claims: SecretClaims): Promise<string> {
    return this.#sign(secretClaims(claims, this.#options.vocabulary));
  }

  #sign(claims: object): Promise<string> {
    const { key, algorithm, id } = this.#options.key;
    return signToken(key, algorithm, id, { ...claims });
  }
}
