import { createPublicKey, hash, type JsonWebKey, type KeyObject } from 'node:crypto';
import { BoundedCache, textBytes } from '../bounds/bounded-cache.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { isSigned, type UnverifiedToken } from './jwt.ts';

/** How often keys are asked for at most: a made-up token must not make the server ask. */
const PAUSE_MS = 10_000;
/** How long keys are believed in without asking again: a provider that withdraws one is heard by then. */
const MAX_AGE_MS = 3_600_000;

interface ProviderKey {
  readonly id: string | undefined;
  readonly algorithm: string | undefined;
  readonly key: KeyObject;
}

export interface OidcProviderOptions {
  /** What the provider calls itself, exactly. */
  readonly issuer: string;
  /** Where its discovery document is; unless given, where the issuer has it by the standard. */
  readonly discoveryUrl?: string | undefined;
  readonly outbound: Outbound;
  readonly runtime: Runtime;
}

/** The keys of an OpenID provider, found by its discovery document and asked for when one is missing. */
export class OidcProvider {
  readonly #issuer: string;
  readonly #discoveryUrl: string;
  readonly #outbound: Outbound;
  readonly #runtime: Runtime;
  #keys: readonly ProviderKey[] = [];
  /** Tokens that these keys are known to have signed. */
  readonly #verified = new BoundedCache<string, true>({
    name: 'oidc-tokens',
    capacity: 1 << 20,
    keepIdleMs: MAX_AGE_MS,
    sizeOf: textBytes,
  });
  /** On the monotonic clock. */
  #asked = Number.NEGATIVE_INFINITY;
  #loaded = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;

  constructor({ issuer, discoveryUrl, outbound, runtime }: OidcProviderOptions) {
    this.#issuer = issuer;
    this.#discoveryUrl = discoveryUrl ?? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    this.#outbound = outbound;
    this.#runtime = runtime;
  }

  /** Lets go of connections; whoever waits for keys learns that there are none. */
  close(): void {
    this.#outbound.close();
  }

  /** Whether the provider signed this token. Rejects when its keys cannot be had and none is known. */
  async hasSigned(token: UnverifiedToken): Promise<boolean> {
    if (this.#runtime.monotonic() - this.#loaded >= MAX_AGE_MS) await this.#refreshOrKeep();
    if (this.#verifies(token)) return true;
    await this.#refresh();
    return this.#verifies(token);
  }

  /** A provider that is away for a while does not lock out those who have its tokens. */
  async #refreshOrKeep(): Promise<void> {
    try {
      await this.#refresh();
    } catch (error) {
      if (this.#keys.length === 0) throw error;
    }
  }

  #verifies(token: UnverifiedToken): boolean {
    const { keyId, algorithm, input, signature } = token;
    const digest = hash('sha256', `${input}.${signature.toString('base64url')}`, 'base64');
    if (this.#verified.get(digest)) return true;
    const signed = this.#keys.some(
      (one) =>
        (keyId === '' || one.id === undefined || one.id === keyId) &&
        (one.algorithm === undefined || one.algorithm === algorithm) &&
        isSigned(token, one.key),
    );
    if (signed) this.#verified.set(digest, true);
    return signed;
  }

  async #refresh(): Promise<void> {
    if (!this.#loading && this.#runtime.monotonic() - this.#asked < PAUSE_MS) return;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    await this.#loading;
  }

  async #load(): Promise<void> {
    this.#asked = this.#runtime.monotonic();
    const { issuer, jwks_uri: place } = await this.#get(this.#discoveryUrl);
    if (issuer !== this.#issuer) throw new Error(`the provider calls itself ${String(issuer)}, not ${this.#issuer}`);
    if (typeof place !== 'string') throw new Error('the provider does not say where its keys are');
    const { keys } = await this.#get(place);
    this.#verified.clear();
    this.#keys = (Array.isArray(keys) ? keys : []).flatMap(readKey);
    this.#loaded = this.#runtime.monotonic();
  }

  async #get(place: string): Promise<Readonly<Record<string, unknown>>> {
    if (!URL.canParse(place) || new URL(place).protocol !== 'https:') throw new Error(`${place} is no https address`);
    const { status, body } = await this.#outbound.send(new URL(place), { method: 'GET' });
    if (status !== 200) throw new Error(`${place} answered ${status}`);
    const document: unknown = JSON.parse(body.toString('utf8'));
    if (typeof document !== 'object' || document === null) throw new Error(`${place} did not answer with an object`);
    return { ...document };
  }
}

/** None for keys that are not for signatures, or that nobody here can use. */
function readKey(jwk: JsonWebKey): ProviderKey[] {
  const { use, kid, alg, kty } = jwk ?? {};
  if ((use !== undefined && use !== 'sig') || (kty !== 'RSA' && kty !== 'EC')) return [];
  try {
    return [
      {
        id: typeof kid === 'string' ? kid : undefined,
        algorithm: typeof alg === 'string' ? alg : undefined,
        key: createPublicKey({ key: jwk, format: 'jwk' }),
      },
    ];
  } catch {
    return [];
  }
}
