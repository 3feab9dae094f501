import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Connection } from '../src/outbound/config.ts';
import { http1Client, http2Client } from './support/client.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { http2Session, openHttp2Watch, openWatch, type Watch } from './support/watch.ts';

/** Many who begin with everything there is at once, and lists beside them: each gets all of it. */

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

const isOwn = ({ metadata }: ConfigMap): boolean => metadata.name.startsWith('map-');

/** Every object must be there once, with its own text. */
function check(objects: readonly ConfigMap[]): void {
  const own = objects.filter(isOwn);
  expect(new Set(own.map(({ metadata }) => metadata.name)).size).toBe(OBJECTS);
  expect(own.length).toBe(OBJECTS);
  for (const { metadata, data } of own) {
    const number = Number(metadata.name.slice(4));
    expect(data?.text).toBe(`text ${number} `.repeat(1 + (number % 97) * 4));
  }
}

async function openOverHttp2(connection: Connection, path: string): Promise<Watch> {
  const session = http2Session(connection);
  onTestFinished(() => session.close());
  return openHttp2Watch(session, connection, path);
}

describe.each([
  ['HTTP/1.1', http1Client, openWatch],
  ['HTTP/2', http2Client, openOverHttp2],
] as const)('over %s', (_protocol, connect, open) => {
  it('gets everything', async () => {
    const watched = async (): Promise<void> => {
      const watch = await open(plane.connection, `${maps}?watch=1&resourceVersion=0`);
      const objects: ConfigMap[] = [];
      while (objects.filter(isOwn).length < OBJECTS) {
        const { type, object } = await watch.next();
        expect(type).toBe('ADDED');
        objects.push(object as ConfigMap);
      }
      check(objects);
      watch.close();
    };
    const listed = async (): Promise<void> => {
      const client = connect(plane.connection);
      const { body } = await client.request('GET', maps);
      check(body.items as readonly ConfigMap[]);
      client.close();
    };
    await Promise.all(Array.from({ length: READERS }, (_, at) => (at % 3 === 0 ? listed() : watched())));
  });
});
