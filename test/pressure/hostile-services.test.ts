import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebhookPlane } from '../support/webhook-plane.ts';
import { answering, type Behaviour } from '../support/webhook-server.ts';

/** What a webhook can answer, at its worst: the request fails because of it, and nothing else does. */

let hooks: WebhookPlane;
beforeAll(async () => {
  hooks = await WebhookPlane.start();
});
afterAll(() => hooks.close());

const MEGABYTES = 7 << 20;

const saying =
  (text: string): Behaviour =>
  (_call, response: ServerResponse) => {
    response.setHeader('content-type', 'application/json').end(text);
  };

const within = (value: string): Behaviour =>
  saying(`{"kind":"AdmissionReview","apiVersion":"admission.platform.io/v1","response":${value}}`);

const patchOf = (text: string): Behaviour =>
  answering({ patchType: 'JSONPatch', patch: Buffer.from(text).toString('base64') });

const switching: Behaviour = (_call, { socket }) => {
  socket?.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n');
};

const DEEP = `${'['.repeat(MEGABYTES / 4)}${']'.repeat(MEGABYTES / 4)}`;

describe('a webhook', () => {
  it.each<[string, Behaviour, string]>([
    ['answers with millions of values', within(`[${'0,'.repeat(MEGABYTES / 2)}0]`), 'more than 500000 values'],
    ['answers with very deep values', within(DEEP), 'nests deeper than'],
    ['answers with more than it may', saying(`"${'x'.repeat(9 << 20)}"`), 'too large'],
    ['changes the protocol', switching, 'unasked'],
    ['wants a patch of millions of values', patchOf(`[${'0,'.repeat(MEGABYTES / 4)}0]`), 'more than 50000 values'],
    [
      'wants a very deep patch',
      patchOf(`[{"op":"add","path":"/data","value":${'['.repeat(100_000)}`),
      'nests deeper than',
    ],
    ['wants a patch that is none', patchOf('[{'), 'not JSON'],
  ])('that %s fails, and the server goes on', async (_what, behaviour, problem) => {
    const namespace = await hooks.namespace();
    hooks.hooks.at('/hostile', behaviour);
    await hooks.configure('mutating', [hooks.webhook('/hostile', namespace, { timeoutSeconds: 30 })]);
    const answer = await hooks.createConfigMap(namespace);
    expect([answer.status, answer.text.slice(0, 1_000)]).toEqual([500, expect.stringContaining(problem)]);
    expect((await hooks.createConfigMap(await hooks.namespace())).status).toBe(201);
  });
});
