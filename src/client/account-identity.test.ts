import { expect, it } from 'vitest';
import { ManualRuntime } from '../storage/manual-runtime.ts';
import { AccountIdentity } from './account-identity.ts';
import { PlaneClient, type Send } from './plane-client.ts';

const MINUTE_MS = 60_000;

/** A plane with accounts, of which there are none to begin with. Tokens are good for an hour, or less. */
class Accounts {
  readonly runtime = new ManualRuntime();
  readonly requests: string[] = [];
  isThere = false;
  lifetimeMs = 60 * MINUTE_MS;
  #issued = 0;

  readonly #send: Send = async ({ method, target }) => {
    this.requests.push(`${method} ${target}`);
    const answer = (status: number, body: object) => ({ status, body: Buffer.from(JSON.stringify(body)) });
    if (!target.endsWith('/token')) {
      this.isThere = true;
      return answer(201, {});
    }
    if (!this.isThere) return answer(404, { reason: 'NotFound' });
    const expirationTimestamp = new Date(this.runtime.now() + this.lifetimeMs).toISOString();
    return answer(201, { status: { token: `t${++this.#issued}`, expirationTimestamp } });
  };

  readonly identity = new AccountIdentity({
    client: new PlaneClient(this.#send, 'meta'),
    runtime: this.runtime,
    authenticationGroup: 'authentication',
    namespace: 'system',
    name: 'loop',
  });

  async token(): Promise<unknown> {
    return (await this.identity.headers()).authorization;
  }
}

it('an account is made where there is none, and one token is requested for all who ask at once', async () => {
  const accounts = new Accounts();
  expect(await Promise.all([accounts.token(), accounts.token()])).toEqual(['Bearer t1', 'Bearer t1']);
  expect(accounts.requests).toEqual([
    'POST /api/v1/namespaces/system/serviceaccounts/loop/token',
    'POST /api/v1/namespaces/system/serviceaccounts',
    'POST /api/v1/namespaces/system/serviceaccounts/loop/token',
  ]);
});

it('a token is used for most of its time and renewed before it ends, however long that is', async () => {
  const accounts = new Accounts();
  accounts.isThere = true;
  for (const [lifetimeMs, number] of [
    [60 * MINUTE_MS, 1],
    [10 * MINUTE_MS, 2],
  ] as const) {
    accounts.lifetimeMs = lifetimeMs;
    expect(await accounts.token()).toBe(`Bearer t${number}`);
    accounts.runtime.advance(lifetimeMs * 0.7);
    expect(await accounts.token()).toBe(`Bearer t${number}`);
    accounts.runtime.advance(lifetimeMs * 0.12);
  }
  expect(await accounts.token()).toBe('Bearer t3');
});

it('a token that is refused is not shown again', async () => {
  const accounts = new Accounts();
  expect(await accounts.token()).toBe('Bearer t1');
  accounts.identity.refused();
  expect(await accounts.token()).toBe('Bearer t2');
});
