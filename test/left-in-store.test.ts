import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import type { Connection } from '../src/outbound/config.ts';
import { type Client, http1Client } from './support/client.ts';
import { endCommands, startCommand } from './support/command.ts';
import { insist } from './support/patience.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { openWatch } from './support/watch.ts';

/** A store that is so large that what objects say is left there when the server starts. */

const MAPS = '/api/v1/namespaces/default/configmaps';
const COUNT = 45;
const TEXT = 'x'.repeat(800_000);
/** Small ones beside them, each with a text of its own. */
const SMALL = '/api/v1/namespaces/small/secrets';
const SMALL_COUNT = 600;
const textAt = (at: number) => `text ${at} `.repeat(1 + (at % 97) * 4);
const smallAt = (at: number) => ({
  metadata: { name: `small-${String(at).padStart(3, '0')}`, annotations: { text: textAt(at) } },
});
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.platform.io' };
const METADATA = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.platform.io' };

afterEach(endCommands);

async function start(directory: string) {
  const command = startCommand(directory);
  await command.ready();
  const connection = await command.connection();
  const client = http1Client(connection);
  onTestFinished(() => client.close());
  const stop = async (): Promise<void> => {
    command.signal('SIGTERM');
    await command.exit;
  };
  return { command, connection, client, stop };
}

const nameAt = (at: number) => `map-${String(at).padStart(2, '0')}`;
const listed = async (client: Client, query = '') => (await client.request('GET', `${MAPS}?${query}`)).text;
const names = async (client: Client, query: string): Promise<string[]> =>
  (await client.request('GET', `${MAPS}?${query}`)).body.items.map(
    ({ metadata }: { metadata: { name: string } }) => metadata.name,
  );

interface Small {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
}

/** Each has to be there once, with its own text: what one is read into is what the next one is read into. */
function demandAll(objects: readonly Small[]): void {
  const said = objects.map(({ metadata: { name, annotations } }) => [name, annotations?.text]);
  expect(said).toEqual(
    Array.from({ length: SMALL_COUNT }, (_, at) => [smallAt(at).metadata.name, smallAt(at).metadata.annotations.text]),
  );
}

async function readAllWays(client: Client, connection: Connection): Promise<void> {
  const watched = async (): Promise<void> => {
    const watch = await openWatch(connection, `${SMALL}?watch=true&resourceVersion=0`);
    const objects: Small[] = [];
    while (objects.length < SMALL_COUNT) objects.push((await watch.next()).object as Small);
    watch.close();
    demandAll(objects);
  };
  const asked = async (headers: Readonly<Record<string, string>>) =>
    (await client.request('GET', SMALL, undefined, headers)).body;
  const [plain, table, partial] = await Promise.all([
    asked({}),
    asked(TABLE),
    asked(METADATA),
    watched(),
    watched(),
    watched(),
  ]);
  demandAll(plain.items);
  demandAll((table as unknown as { rows: { object: Small }[] }).rows.map(({ object }) => object));
  demandAll(partial.items);
}

it('is served after a start as before it, though little of it is in memory', { timeout: 120_000 }, async () => {
  const directory = await temporaryDirectory();
  const first = await start(directory);
  const { body: owner } = await first.client.request('POST', MAPS, { metadata: { name: 'owner' } });
  const { uid } = owner.metadata;
  const owners = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
  for (let at = 0; at < COUNT; at++) {
    const labels = { third: String(at % 3 === 0) };
    const metadata = { name: nameAt(at), labels, ...(at === 7 && { ownerReferences: owners }) };
    const { status } = await first.client.request('POST', MAPS, { metadata, data: { text: TEXT } });
    expect(status).toBe(201);
  }
  await first.client.request('POST', '/api/v1/namespaces', { metadata: { name: 'small' } });
  for (let from = 0; from < SMALL_COUNT; from += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, i) => first.client.request('POST', SMALL, smallAt(from + i))));
  }
  const before = await listed(first.client);
  const begin = Number(JSON.parse(before).metadata.resourceVersion);
  await first.stop();
  expect(statSync(join(directory, '.platform', 'store', 'data.mdb')).size).toBeGreaterThan(32 << 20);

  const { client, connection } = await start(directory);
  await readAllWays(client, connection);
  const third = Array.from({ length: COUNT / 3 }, (_, i) => nameAt(3 * i));
  expect(await names(client, 'labelSelector=third%3Dtrue')).toEqual(third);
  expect(JSON.parse(await listed(client)).items).toEqual(JSON.parse(before).items);
  expect(await names(client, 'limit=3')).toEqual(['kube-root-ca.crt', nameAt(0), nameAt(1)]);
  const { body: one } = await client.request('GET', `${MAPS}/${nameAt(5)}`);
  expect(one).toMatchObject({ metadata: { name: nameAt(5) }, data: { text: TEXT } });

  const watch = await openWatch(connection, `${MAPS}?watch=true&resourceVersion=${begin}`);
  onTestFinished(() => watch.close());
  const patched = await client.request('PATCH', `${MAPS}/${nameAt(6)}`, { data: { more: 'yes' } });
  expect(patched.body).toMatchObject({ data: { text: TEXT, more: 'yes' } });
  expect(await watch.next()).toMatchObject({ type: 'MODIFIED', object: { metadata: { name: nameAt(6) } } });
  expect(JSON.parse(await listed(client, `resourceVersion=${begin}&resourceVersionMatch=Exact`)).items).toEqual(
    JSON.parse(before).items,
  );

  // Whose dependents were found among what was left.
  await client.request('DELETE', `${MAPS}/owner`);
  expect(await watch.next()).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'owner' } } });
  expect(await watch.next()).toMatchObject({ type: 'DELETED', object: { metadata: { name: nameAt(7) } } });

  expect((await client.request('DELETE', `${MAPS}?labelSelector=third%3Dtrue`)).status).toBe(200);
  const rest = Array.from({ length: COUNT }, (_, at) => nameAt(at)).filter(
    (name) => name !== nameAt(7) && !third.includes(name),
  );
  await insist(async () => expect(await names(client, '')).toEqual(['kube-root-ca.crt', ...rest]));
});
