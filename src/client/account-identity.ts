import type { OutboundHeaders } from '../outbound/outbound.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Identity } from './identity.ts';
import { type AnyObject, type PlaneClient, unless } from './plane-client.ts';
import type { ServedKind } from './served-kind.ts';

const LIFETIME_SECONDS = 3600;
/** A token is renewed when this part of its time is over, at the latest. */
const RENEWED_AFTER = 0.8;

const ACCOUNTS: ServedKind = {
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
  verbs: ['create', 'get'],
};

export interface AccountIdentityParts {
  /** Of somebody who may make service accounts, and tokens of them. */
  readonly client: PlaneClient;
  readonly runtime: Runtime;
  readonly authenticationGroup: string;
  readonly namespace: string;
  readonly name: string;
}

interface HeldToken {
  readonly token: string;
  /** On the clock that only goes forward. */
  readonly renewAt: number;
}

interface TokenRequest extends AnyObject {
  readonly status: { readonly token: string; readonly expirationTimestamp: string };
}

/** A service account, which is made if there is none. Its tokens are requested, and renewed before they end. */
export class AccountIdentity implements Identity {
  readonly #parts: AccountIdentityParts;
  #held: HeldToken | undefined;
  #requesting: Promise<HeldToken> | undefined;

  constructor(parts: AccountIdentityParts) {
    this.#parts = parts;
  }

  async headers(): Promise<OutboundHeaders> {
    const { token } = await this.#current();
    return { authorization: `Bearer ${token}` };
  }

  refused(): void {
    this.#held = undefined;
  }

  async #current(): Promise<HeldToken> {
    if (this.#held && this.#parts.runtime.monotonic() < this.#held.renewAt) return this.#held;
    this.#requesting ??= this.#request().finally(() => {
      this.#requesting = undefined;
    });
    this.#held = await this.#requesting;
    return this.#held;
  }

  async #request(): Promise<HeldToken> {
    const { runtime, name, namespace, client } = this.#parts;
    const began = runtime.monotonic();
    const { token, expirationTimestamp } = await this.#issue().catch(async (error: unknown) => {
      unless('NotFound')(error);
      const account = { metadata: { namespace, name } };
      await client.create(ACCOUNTS, namespace, account).catch(unless('AlreadyExists'));
      return this.#issue();
    });
    // How long it lasts is the plane's to say, which may be less than was asked for; its clock is another.
    const left = Math.min(Date.parse(expirationTimestamp) - runtime.now(), LIFETIME_SECONDS * 1000);
    // Not all accounts of a process at the same moment.
    const part = RENEWED_AFTER * (1 - 0.1 * runtime.random());
    return { token, renewAt: began + Math.max(0, left) * part };
  }

  async #issue(): Promise<TokenRequest['status']> {
    const { client, authenticationGroup, namespace, name } = this.#parts;
    const target = { kind: ACCOUNTS, namespace, name, subresource: 'token' };
    const { status } = await client.post<TokenRequest>(target, {
      kind: 'TokenRequest',
      apiVersion: `${authenticationGroup}/v1`,
      spec: { expirationSeconds: LIFETIME_SECONDS },
    });
    return status;
  }
}
