import { randomInt } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { type Answer, type Client, type Document, http2Client } from './support/client.ts';
import { type Command, endCommands, startCommand } from './support/command.ts';
import { PATIENCE_MS, patiently } from './support/patience.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

/** How often a server is killed amid its work. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 2);
/** A server acknowledges fewer than this before it is killed. */
const MOST_CREATES = 1_000;
const WRITERS = 64;

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

/**
 * Creates with many writers until the server is killed, right after it acknowledged the given number. Before that no
 * request may fail; whatever came of those that were under way then is unknown.
 */
async function createUntilKilled(
  command: Command,
  client: Client,
  round: number,
  killAfter: number,
  acknowledged: Acknowledged,
): Promise<void> {
  let next = 0;
  let done = 0;
  let isKilled = false;
  const kill = (): void => {
    isKilled = true;
    command.signal('SIGKILL');
  };
  const create = (name: string): Promise<Answer | undefined> =>
    client.request('POST', maps, { metadata: { name }, data: contentOf(name) }).catch((error: unknown) => {
      if (!isKilled) throw error;
      return undefined;
    });
  const write = async (): Promise<void> => {
    while (!isKilled) {
      const name = `crash-${round}-${next++}`;
      const answer = await patiently(`an answer about ${name}, after ${done} of ${killAfter},`, create(name));
      if (answer === undefined) return;
      expect(answer.status, answer.text).toBe(201);
      acknowledged.set(name, answer.body);
      if (++done === killAfter) kill();
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write)).finally(kill);
  await patiently('the end of the killed server', command.exit);
}

async function everything(client: Client): Promise<Document> {
  const { status, text, body } = await patiently('the list', client.request('GET', `${maps}?limit=100000`));
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

// A busy machine may take minutes: what bounds a round is how long a single answer takes.
it(`a server killed amid writes, ${ROUNDS} times, has all it acknowledged, whole, and goes on counting`, {
  timeout: (ROUNDS + 1) * 10 * PATIENCE_MS,
}, async () => {
  const directory = await temporaryDirectory();
  const acknowledged: Acknowledged = new Map();
  let newest = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const command = startCommand(directory);
    await command.ready(4 * PATIENCE_MS);
    const client = http2Client(await command.connection());
    await expectNothingLost(client, acknowledged);
    const first = client.request('POST', maps, { metadata: { name: `after-${round}` } });
    const { body } = await patiently('the first answer', first);
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(newest);
    if (round < ROUNDS) await createUntilKilled(command, client, round, randomInt(1, MOST_CREATES), acknowledged);
    client.close();
    newest = Math.max(...[...acknowledged.values()].map(({ metadata }) => Number(metadata.resourceVersion)));
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(ROUNDS);
});
