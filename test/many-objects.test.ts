import { expect, it, onTestFinished } from 'vitest';
import type { Document } from './support/client.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** The short form of `npm run bench:scale` for objects. */

const PATH = '/api/v1/namespaces/default/configmaps';
const COUNT = 480;
const WRITERS = 24;
const nameOf = (at: number): string => `item-${String(at).padStart(5, '0')}`;

async function start(dataDir: string): Promise<TestServer> {
  const plane = await startTestServer({ store: 'lmdb', dataDir });
  onTestFinished(() => plane.close());
  return plane;
}

const fill = (plane: TestServer): Promise<unknown> =>
  Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let at = writer; at < COUNT; at += WRITERS) {
        const metadata = { name: nameOf(at), labels: { own: 'yes', third: String(at % 3) } };
        await plane.admin.request('POST', PATH, { metadata, data: { filling: 'x'.repeat(2_000) } });
      }
    }),
  );

async function* pages(plane: TestServer, limit: number): AsyncGenerator<Document> {
  let token = '';
  do {
    const { body } = await plane.admin.request('GET', `${PATH}?labelSelector=own&limit=${limit}&continue=${token}`);
    yield body;
    token = body.metadata.continue ?? '';
  } while (token !== '');
}

it('after a restart many objects are listed and selected as before, in pages of one version', async () => {
  const dataDir = await temporaryDirectory();
  const before = await start(dataDir);
  await fill(before);
  const all = (await before.admin.request('GET', `${PATH}?labelSelector=own`)).body;
  await before.close();

  const plane = await start(dataDir);
  const items: Document[] = [];
  const versions = new Set<string>();
  const removed: string[] = [];
  for await (const page of pages(plane, 200)) {
    items.push(...page.items);
    versions.add(page.metadata.resourceVersion);
    const name = nameOf(items.length % COUNT);
    await plane.admin.request('DELETE', `${PATH}/${name}`);
    removed.push(name);
  }
  expect(items).toEqual(all.items);
  expect(versions.size).toBe(1);
  expect(removed).toHaveLength(3);

  const { body } = await plane.admin.request('GET', `${PATH}?labelSelector=third%3D0`);
  const expected = all.items.filter(
    ({ metadata: { name, labels } }) => labels?.third === '0' && !removed.includes(name),
  );
  expect(body.items).toEqual(expected);
});
