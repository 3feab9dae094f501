import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, http1Client, http2Client } from './support/client.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** Many who begin with everything there is at once, some of them slowly, and lists beside them: each gets all of it. */

const OBJECTS = 600;
const READERS = 12;
const maps = '/api/v1/namespaces/default/configmaps';

let plane: TestServer;
beforeAll(async () => {
  plane = await startTestServer();
  const create = (number: number) =>
    plane.admin.request('POST', maps, {
      metadata: { name: `map-${number}` },
      data: { text: `text ${number} `.repeat(1 + (number % 97) * 4) },
    });
  for (let at = 0; at < OBJECTS; at += 50) await Promise.all(Array.from({ length: 50 }, (_, i) => create(at + i)));
});
afterAll(() => plane.close());

interface ConfigMap {
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
}

/** Every object must be there once, with its own text. */
function check(objects: readonly ConfigMap[]): void {
  const own = objects.filter(({ metadata }) => metadata.name.startsWith('map-'));
  expect(own.length).toBe(OBJECTS);
  for (const { metadata, data } of own) {
    const number = Number(metadata.name.slice(4));
    expect(data?.text).toBe(`text ${number} `.repeat(1 + (number % 97) * 4));
  }
}

describe.each([
  ['HTTP/1.1', http1Client],
  ['HTTP/2', http2Client],
] as const)('over %s', (_protocol, connect) => {
  it('gets everything', async () => {
    const clients: Client[] = Array.from({ length: READERS }, () => connect(plane.connection));
    const watched = async (client: Client, at: number): Promise<void> => {
      await sleep(at % 4);
      const { text } = await client.request('GET', `${maps}?watch=1&resourceVersion=0&timeoutSeconds=1`);
      const events = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['ADDED']));
      check(events.map(({ object }) => object));
    };
    const listed = async (client: Client): Promise<void> => {
      const { body } = await client.request('GET', maps);
      check(body.items as readonly ConfigMap[]);
    };
    await Promise.all(clients.map((client, at) => (at % 3 === 0 ? listed(client) : watched(client, at))));
    for (const client of clients) client.close();
  });
});
