import { Outbound } from '../../outbound/outbound.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { TokenMethod, TokenOwner } from '../bearer-tokens.ts';
import { ALGORITHM_NAMES, readToken } from '../jwt.ts';
import { OidcProvider } from '../oidc-provider.ts';
import { OidcTokens } from '../oidc-tokens.ts';
import type { IssuerConfiguration } from './authentication-configuration.ts';

export interface ConfiguredIssuersOptions {
  /** What this server is called as an audience, in reviews of tokens. */
  readonly own: readonly string[];
  readonly runtime: Runtime;
  /** Told that the keys of an issuer cannot be had. */
  readonly onError: (error: unknown, issuer: string) => void;
  /** Told why a token that an issuer signed is not accepted. */
  readonly onRefused: (reason: string, issuer: string) => void;
}

/**
 * Tokens of the issuers that a configuration names. Others may take their place at any time: an issuer that is reached as
 * before keeps its keys, one that is gone is forgotten with all that was known of its tokens.
 */
export class ConfiguredIssuers implements TokenMethod {
  readonly #options: ConfiguredIssuersOptions;
  #tokens: ReadonlyMap<unknown, OidcTokens> = new Map();
  #providers: ReadonlyMap<string, OidcProvider> = new Map();

  constructor(options: ConfiguredIssuersOptions) {
    this.#options = options;
  }

  replace(issuers: readonly IssuerConfiguration[]): void {
    const former = this.#providers;
    const providers = issuers.map((issuer) => {
      const reachedBy = JSON.stringify([issuer.url, issuer.discoveryUrl ?? '', issuer.certificateAuthority ?? '']);
      return { issuer, reachedBy, provider: former.get(reachedBy) ?? this.#providerOf(issuer) };
    });
    this.#providers = new Map(providers.map(({ reachedBy, provider }) => [reachedBy, provider]));
    this.#tokens = new Map(providers.map(({ issuer, provider }) => [issuer.url, this.#tokensOf(issuer, provider)]));
    for (const [reachedBy, provider] of former) if (!this.#providers.has(reachedBy)) provider.close();
  }

  ownerOf(token: string, wanted: readonly string[]): undefined | Promise<TokenOwner | undefined> {
    if (this.#tokens.size === 0 || !token.includes('.')) return undefined;
    const unverified = readToken(token);
    return unverified && this.#tokens.get(unverified.claims.iss)?.ownerOfRead(unverified, wanted);
  }

  close(): void {
    this.replace([]);
  }

  #providerOf({ url, discoveryUrl, certificateAuthority }: IssuerConfiguration): OidcProvider {
    const { runtime } = this.#options;
    const outbound = new Outbound(certificateAuthority === undefined ? {} : { ca: certificateAuthority }, runtime);
    return new OidcProvider({ issuer: url, discoveryUrl, outbound, runtime });
  }

  #tokensOf({ url, audiences, userIn }: IssuerConfiguration, provider: OidcProvider): OidcTokens {
    const { own, runtime, onError, onRefused } = this.#options;
    return new OidcTokens({
      provider,
      issuer: url,
      clientIds: audiences,
      userIn,
      algorithms: ALGORITHM_NAMES,
      own,
      runtime,
      onError: (error) => onError(error, url),
      onRefused: (reason) => onRefused(reason, url),
    });
  }
}
