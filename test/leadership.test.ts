import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { policyFile, type RecordedEvent } from './support/audit.ts';
import { type Client, http1Client } from './support/client.ts';
import { type Command, endCommands, startCommand } from './support/command.ts';
import { Etcd } from './support/etcd.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { havePeer } from './support/peers.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

const LEASE = '/apis/coordination.platform.io/v1/namespaces/platform-system/leases/control-loops';
/** How often a leader is killed; many times in the long form. */
const KILLS = Number(process.env.LEADER_KILLS ?? 1);
const NAMESPACES = 3;
const endings: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

interface Server {
  readonly command: Command;
  readonly client: Client;
}

it.runIf(havePeer('etcd', '--version'))(
  'of two servers over etcd one runs the control loops, and the other when it is killed, and nothing is done twice',
  { timeout: (1 + 2 * KILLS) * PATIENCE_MS },
  async () => {
    const directory = await makeDirectory();
    endings.push(() => removeDirectory(directory), endCommands);
    const etcd = await Etcd.start();
    endings.push(() => etcd.close());
    const secret = join(directory, 'shared.key');
    writeFileSync(secret, 'a secret of both servers, long enough to be one');
    const loops = { level: 'Metadata', userGroups: ['system:serviceaccounts'], verbs: ['update'] };
    const policy = await policyFile(directory, [loops, { level: 'None' }]);
    const start = async (name: string): Promise<Server> => {
      const command = startCommand(
        directory,
        `--etcd-servers=${etcd.endpoints}`,
        `--etcd-shared-key-file=${secret}`,
        `--data-dir=${name}`,
        `--audit-policy-file=${policy}`,
        `--audit-log-path=${name}.log`,
      );
      await command.ready();
      const client = http1Client(await command.connection(name));
      endings.push(() => client.close());
      return { command, client };
    };
    let [leader, other] = [await start('first'), await start('second')];
    await expect.poll(() => holderSeenBy(other), { timeout: PATIENCE_MS }).toBeTruthy();
    const made: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const names = Array.from({ length: NAMESPACES }, (_, at) => `passing-${kill}-${at}`);
      made.push(...names);
      await begin(other, names);
      const before = await holderSeenBy(other);
      // Some are being removed at this moment, or have been.
      for (const name of names.slice(1)) await remove(other, name);
      leader.command.signal('SIGKILL');
      await leader.command.exit;
      const begun = performance.now();
      await remove(other, names[0] ?? '');
      await gone(other, names);
      expect(await holderSeenBy(other)).not.toBe(before);
      if (process.env.LEADERSHIP_TIMES) console.info(`replaced after ${Math.round(performance.now() - begun)} ms`);
      if (kill + 1 < KILLS) [leader, other] = [other, await start(kill % 2 === 0 ? 'first' : 'second')];
    }
    // One that was killed may not have come to record what it did last.
    const released = lettingGo(directory);
    expect(released).toEqual(made.filter((name) => released.includes(name)).sort());
    expect(released.length).toBeGreaterThanOrEqual(made.length - KILLS * NAMESPACES + 1);
  },
);

const holderSeenBy = async ({ client }: Server): Promise<unknown> =>
  (await client.request('GET', LEASE)).body.spec?.holderIdentity;

async function begin({ client }: Server, names: readonly string[]): Promise<void> {
  for (const name of names) {
    expect((await client.request('POST', '/api/v1/namespaces', { metadata: { name } })).status).toBe(201);
  }
}

async function remove({ client }: Server, name: string): Promise<void> {
  expect((await client.request('DELETE', `/api/v1/namespaces/${name}`)).status).toBe(200);
}

async function gone({ client }: Server, names: readonly string[]): Promise<void> {
  const statusOf = async (name: string) => (await client.request('GET', `/api/v1/namespaces/${name}`)).status;
  for (const name of names) await expect.poll(() => statusOf(name), { timeout: PATIENCE_MS }).toBe(404);
}

/** The namespaces that a loop let go, by the records of all servers: each as often as that was done. */
function lettingGo(directory: string): string[] {
  const files = ['first.log', 'second.log'].map((name) => join(directory, name)).filter((file) => existsSync(file));
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n')).filter((line) => line.endsWith('}'));
  const events = lines.map((line) => JSON.parse(line) as RecordedEvent);
  return events
    .filter(({ objectRef, responseStatus }) => objectRef?.subresource === 'finalize' && responseStatus?.code === 200)
    .map(({ objectRef }) => objectRef?.name ?? '')
    .sort();
}
