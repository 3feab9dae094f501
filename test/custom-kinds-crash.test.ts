import { afterEach, expect, it } from 'vitest';
import { type Client, http2Client } from './support/client.ts';
import { type Command, endCommands, startCommand } from './support/command.ts';
import { customObject, DEFINITIONS, define, definition, untilGone, version } from './support/definitions.ts';
import { PATIENCE_MS, patiently } from './support/patience.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

const GROUP = 'zoo.example.com';
const LIONS = `/apis/${GROUP}/v1/namespaces/default/lions`;
const DEFINITION = `${DEFINITIONS}/lions.${GROUP}`;

afterEach(endCommands);

async function start(directory: string): Promise<{ readonly command: Command; readonly client: Client }> {
  const command = startCommand(directory);
  await command.ready(4 * PATIENCE_MS);
  return { command, client: http2Client(await command.connection()) };
}

it('a server that is killed while it removes the objects of a definition goes on with it', {
  timeout: 10 * PATIENCE_MS,
}, async () => {
  const directory = await temporaryDirectory();
  const document = definition('lions', GROUP, [version('v1', { name: { type: 'string' } })]);
  const { command, client } = await start(directory);
  await define(client, document, LIONS);
  for (let at = 0; at < 20; at++) {
    const finalizers = at === 7 ? ['example.com/hold'] : [];
    await client.request('POST', LIONS, customObject(LIONS, { metadata: { name: `lion-${at}`, finalizers } }));
  }
  expect((await client.request('DELETE', DEFINITION)).status).toBe(200);
  command.signal('SIGKILL');
  await patiently('the end of the killed server', command.exit);
  client.close();

  const again = await start(directory);
  await expect
    .poll(async () => (await again.client.request('GET', LIONS)).body.items.map(({ metadata }) => metadata.name), {
      timeout: PATIENCE_MS,
    })
    .toEqual(['lion-7']);
  expect((await again.client.request('GET', DEFINITION)).body.status).toMatchObject({
    conditions: expect.arrayContaining([expect.objectContaining({ reason: 'InstanceDeletionInProgress' })]),
  });
  await again.client.request('PATCH', `${LIONS}/lion-7`, { metadata: { finalizers: null } });
  await untilGone(again.client, DEFINITION);
  await untilGone(again.client, LIONS);
  await define(again.client, document, LIONS);
  expect((await again.client.request('GET', LIONS)).body.items).toEqual([]);
  again.client.close();
});
