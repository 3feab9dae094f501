import { randomInt } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { type Client, type Document, http2Client } from './support/client.ts';
import { type Command, endCommands, startCommand } from './support/command.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

/** How often a server is killed amid its work. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 2);
const CREATES = 2_000;
const WRITERS = 64;
const SECONDS_A_ROUND = 20;

const maps = '/api/v1/namespaces/default/configmaps';

afterEach(endCommands);

/** Anyone can tell from the name alone what the object holds, and whether it is whole. */
const contentOf = (name: string): Record<string, string> => ({
  begin: name,
  end: name,
  filling: name.repeat(1 + (Number(name.split('-')[2]) % 200)),
});

/** Objects that the server has said it keeps, by name. */
type Acknowledged = Map<string, Document>;

/** Creates with many writers until the server is killed, right after it acknowledged the given number. */
async function createUntilKilled(
  command: Command,
  client: Client,
  round: number,
  killAfter: number,
  acknowledged: Acknowledged,
): Promise<void> {
  let next = 0;
  let done = 0;
  const write = async (): Promise<void> => {
    while (next < CREATES) {
      const name = `crash-${round}-${next++}`;
      const answer = await client.request('POST', maps, { metadata: { name }, data: contentOf(name) });
      // Without so many that are acknowledged nobody would end the server.
      if (answer.status !== 201) command.signal('SIGKILL');
      expect(answer.status, answer.text).toBe(201);
      acknowledged.set(name, answer.body);
      if (++done === killAfter) command.signal('SIGKILL');
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: WRITERS }, write));
  // Whatever came of the last requests is unknown; but none of them was refused.
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(String(outcome.reason)).not.toMatch(/AssertionError|to be 201/);
  }
  await command.exit;
}

async function everything(client: Client): Promise<Document> {
  const { status, text, body } = await client.request('GET', `${maps}?limit=100000`);
  expect(status, text).toBe(200);
  return body;
}

/** The object without what an item of a list leaves out. */
const asItem = ({ kind: _kind, apiVersion: _version, ...rest }: Document): string => JSON.stringify(rest);

const isWhole = ({ metadata, data }: Document): boolean =>
  JSON.stringify(data) === JSON.stringify(contentOf(metadata.name)) &&
  metadata.namespace === 'default' &&
  Boolean(metadata.uid && metadata.resourceVersion && metadata.creationTimestamp);

async function expectNothingLost(client: Client, acknowledged: Acknowledged): Promise<void> {
  const { items, metadata } = await everything(client);
  const stored = new Map(items.map((item) => [item.metadata.name, item]));
  const lost = [...acknowledged].filter(([name, object]) => asItem(object) !== JSON.stringify(stored.get(name)));
  expect(lost.map(([name]) => [name, stored.get(name)])).toEqual([]);
  const torn = items.filter((item) => item.metadata.name.startsWith('crash-') && !isWhole(item));
  expect(torn).toEqual([]);
  const versions = items.map((item) => Number(item.metadata.resourceVersion));
  expect(new Set(versions).size).toBe(versions.length);
  expect(Number(metadata.resourceVersion)).toBeGreaterThanOrEqual(Math.max(...versions));
}

// What is lost or torn fails each time; on a busy machine a round was seen to wait for ever, which is not understood yet.
it(`a server killed amid writes, ${ROUNDS} times, has all it acknowledged, whole, and goes on counting`, {
  timeout: (ROUNDS + 1) * SECONDS_A_ROUND * 1_000,
  retry: 2,
}, async () => {
  const directory = await temporaryDirectory();
  const acknowledged: Acknowledged = new Map();
  let newest = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const command = startCommand(directory);
    await command.ready();
    const client = http2Client(await command.connection());
    await expectNothingLost(client, acknowledged);
    const { body } = await client.request('POST', maps, { metadata: { name: `after-${round}` } });
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(newest);
    if (round < ROUNDS) await createUntilKilled(command, client, round, randomInt(1, CREATES), acknowledged);
    client.close();
    newest = Math.max(...[...acknowledged.values()].map(({ metadata }) => Number(metadata.resourceVersion)));
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(ROUNDS);
});
