import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { http1Client } from './support/client.ts';
import { type Command, endCommands, startCommand } from './support/command.ts';
import { Etcd } from './support/etcd.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { havePeer } from './support/peers.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

const LEASE = '/apis/coordination.platform.io/v1/namespaces/platform-system/leases/control-loops';
const endings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

it.runIf(havePeer('etcd', '--version'))(
  'of two servers over etcd one runs the control loops, and the other when it is killed',
  { timeout: 3 * PATIENCE_MS },
  async () => {
    const directory = await makeDirectory();
    endings.push(() => removeDirectory(directory), endCommands);
    const etcd = await Etcd.start();
    endings.push(() => etcd.close());
    const secret = join(directory, 'shared.key');
    writeFileSync(secret, 'a secret of both servers, long enough to be one');
    const start = async (dataDir: string): Promise<Command> => {
      const flags = [`--etcd-servers=${etcd.endpoints}`, `--etcd-shared-key-file=${secret}`, `--data-dir=${dataDir}`];
      const command = startCommand(directory, ...flags);
      await command.ready();
      return command;
    };
    const first = await start('first');
    await start('second').then(async (second) => {
      const client = http1Client(await second.connection('second'));
      endings.push(async () => client.close());
      const holder = async () => (await client.request('GET', LEASE)).body.spec?.holderIdentity;
      await expect.poll(holder, { timeout: PATIENCE_MS }).toBeTruthy();
      const before = await holder();
      await client.request('POST', '/api/v1/namespaces', { metadata: { name: 'passing' } });
      first.signal('SIGKILL');
      await first.exit;
      const begun = performance.now();
      expect((await client.request('DELETE', '/api/v1/namespaces/passing')).status).toBe(200);
      const status = async () => (await client.request('GET', '/api/v1/namespaces/passing')).status;
      await expect.poll(status, { timeout: PATIENCE_MS }).toBe(404);
      expect(await holder()).not.toBe(before);
      if (process.env.LEADERSHIP_TIMES) console.info(`replaced after ${Math.round(performance.now() - begun)} ms`);
    });
  },
);
