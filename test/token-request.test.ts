import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../src/api/errors.ts';
import { SERVER_USER } from '../src/api/user.ts';
import { DEFAULT_FEATURES } from '../src/features/features.ts';
import { type TokenClaims, type TokenSigner, tokenRequest } from '../src/handlers/actions/token-request.ts';
import { readObject } from '../src/registry/incoming.ts';
import { systemRuntime } from '../src/runtime/runtime.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const options = { user: SERVER_USER };

let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer();
});

afterAll(() => plane.close());

let namespaces = 0;

/** A namespace with one account, and a signer that writes down what it is asked to sign. */
async function prepare() {
  const { objects, registry, catalogue } = plane.server;
  const namespace = `ns-${++namespaces}`;
  const make = async (plural: string, document: object): Promise<string> => {
    const path = plural === 'namespaces' ? '/api/v1/namespaces' : `/api/v1/namespaces/${namespace}/${plural}`;
    const { status, body, text } = await plane.admin.request('POST', path, document);
    expect(status, text).toBe(201);
    return body.metadata.uid;
  };
  await make('namespaces', { metadata: { name: namespace } });
  const uid = await make('serviceaccounts', { metadata: { name: 'robot' } });
  const signed: TokenClaims[] = [];
  const signer: TokenSigner = {
    audiences: ['here'],
    async sign(claims) {
      signed.push(claims);
      return { token: 'signed', issued: Date.UTC(2030, 0, 1) / 1000 - claims.expirationSeconds };
    },
  };
  const action = tokenRequest(signer, 'authentication.example', { mostSeconds: 0, extendsForPods: false });
  const ask = (spec: object, name = 'robot') => {
    const [type] = action.accepts;
    if (!type) throw new Error('it accepts nothing');
    const object = readObject(type, { spec });
    const context = { runtime: systemRuntime, vocabulary: vocabularies.platform, features: DEFAULT_FEATURES };
    return action.run({ objects, registry, catalogue, context, namespace, name, object, options, warn() {} });
  };
  return { ask, make, namespace, signed, uid };
}

const pod = (serviceAccountName: string) => ({
  metadata: { name: 'p' },
  spec: { serviceAccountName, containers: [{ name: 'main', image: 'example/main:1' }] },
});

const codeOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => 'done',
    (error) => (error instanceof ApiError ? error.code : error),
  );

describe('a token request', () => {
  it('is signed for the account, for an hour and for this server unless it says otherwise', async () => {
    const { ask, namespace, signed, uid } = await prepare();
    const { status, body } = await ask({});
    const serviceAccount = { name: 'robot', uid };
    expect(signed).toEqual([{ namespace, serviceAccount, audiences: ['here'], expirationSeconds: 3600 }]);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      kind: 'TokenRequest',
      metadata: { name: 'robot', namespace },
      spec: { audiences: ['here'], expirationSeconds: 3600, boundObjectRef: null },
      status: { token: 'signed', expirationTimestamp: '2030-01-01T00:00:00Z' },
    });
    await ask({ audiences: ['vault'], expirationSeconds: 600 });
    expect(signed[1]).toMatchObject({ audiences: ['vault'], expirationSeconds: 600 });
  });

  it('can be bound to a pod of the account', async () => {
    const { ask, make, signed } = await prepare();
    const uid = await make('pods', pod('robot'));
    await ask({ boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } });
    expect(signed[0]?.boundTo).toEqual({ kind: 'Pod', name: 'p', uid });
  });

  it.each([
    ['a pod that is not there', 404, { kind: 'Pod', apiVersion: 'v1', name: 'absent' }],
    ['another pod of that name', 409, { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: 'another' }],
    ['something that is neither pod nor secret', 400, { kind: 'Node', apiVersion: 'v1', name: 'p' }],
  ])('cannot be bound to %s', async (_what, code, boundObjectRef) => {
    const { ask, make } = await prepare();
    await make('pods', pod('robot'));
    expect(await codeOf(ask({ boundObjectRef }))).toBe(code);
  });

  it('cannot be bound to the pod of another account', async () => {
    const { ask, make } = await prepare();
    await make('serviceaccounts', { metadata: { name: 'other' } });
    await make('pods', pod('other'));
    expect(await codeOf(ask({ boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } }))).toBe(400);
  });

  it('is refused for too short a life, and for an account that is not there', async () => {
    const { ask } = await prepare();
    expect(await codeOf(ask({ expirationSeconds: 10 }))).toBe(422);
    expect(await codeOf(ask({}, 'nobody'))).toBe(404);
  });
});
