import { afterEach, expect, it } from 'vitest';
import type { Connection } from '../../src/outbound/config.ts';
import { http2Client } from '../support/client.ts';
import { type Command, endCommands, startCommand } from '../support/command.ts';
import { Etcd } from '../support/etcd.ts';
import { havePeer } from '../support/peers.ts';
import { makeDirectory, removeDirectory } from '../support/temporary-directory.ts';
import { startTestServer } from '../support/test-server.ts';
import { expectComplete, Follower, Recording, type Seen, useRegisters, type Whereabouts } from './register-clients.ts';

/** The long form plays more rounds, each with a fault. */
const ROUNDS = Number(process.env.REGISTER_ROUNDS ?? 1);
const CLIENTS = 6;
/** Operations before and after each fault. */
const ENOUGH = 80;
const FAULT_MS = 500;
const PATIENCE_MS = 40_000 + ROUNDS * 30_000;

/** What is to be ended, last first. */
const endings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function directoryToRemove(): Promise<string> {
  const directory = await makeDirectory();
  endings.push(() => removeDirectory(directory));
  return directory;
}

async function newestAt(connection: Connection): Promise<number> {
  const client = http2Client(connection);
  const { body } = await client.request('GET', '/api/v1/namespaces/default/configmaps');
  client.close();
  return Number(body.metadata.resourceVersion);
}

/** Has clients at work on all servers, and a watch on each, while `disturb` does what it does; then judges. */
async function record(
  servers: readonly Whereabouts[],
  disturb: (recording: Recording) => Promise<void>,
): Promise<void> {
  const recording = new Recording();
  const begin = Math.min(...(await Promise.all(servers.map(async (server) => newestAt(await server())))));
  const seen = servers.map((): Seen[] => []);
  const followers = servers.map((server, i) => new Follower(server, begin, (event) => seen[i]?.push(event)));
  let over = false;
  const clients = Array.from({ length: CLIENTS }, (_, i) => {
    const server = servers[i % servers.length];
    return server && useRegisters(server, recording, i + 1, () => !over);
  });
  await disturb(recording).finally(() => {
    over = true;
  });
  await Promise.all(clients);
  const last = Math.max(...recording.acknowledged.map(({ revision }) => revision));
  await Promise.all(followers.map((follower) => follower.finish(last)));
  if (ROUNDS > 1) console.info(`${recording.answered} operations answered, ${recording.doubtful} not`);
  recording.expectLinearizable();
  for (const events of seen) expectComplete(events, recording);
  const [first = [], ...others] = seen.map((events) => events.filter(({ revision }) => revision <= last));
  for (const events of others) expect(events).toEqual(first);
}

const statement = 'clients at once are told what can be explained one after another, and watches all of it';

it(`${statement}: by a server that is killed ${ROUNDS} times`, { timeout: PATIENCE_MS }, async () => {
  const directory = await directoryToRemove();
  endings.push(endCommands);
  const start = async (): Promise<{ command: Command; connection: Connection }> => {
    const command = startCommand(directory);
    await command.ready();
    return { command, connection: await command.connection() };
  };
  let server = start();
  await record([async () => (await server).connection], async (recording) => {
    for (let round = 0; round < ROUNDS; round++) {
      await recording.more(ENOUGH);
      const { command } = await server;
      command.signal('SIGKILL');
      server = command.exit.then(start);
      await server;
    }
    await recording.more(ENOUGH);
  });
});

/** Stops a member of etcd dead, or only for a while. */
async function disturbMember(etcd: Etcd, round: number): Promise<void> {
  const member = etcd.members[round % etcd.members.length];
  const dead = round % 2 === 0;
  if (dead) await member?.stop('SIGKILL');
  else member?.freeze();
  await pause(FAULT_MS);
  if (dead) member?.start();
  else member?.thaw();
  await member?.ready();
}

it.runIf(havePeer('etcd', '--version'))(
  `${statement}: by two servers over an etcd of three, ${ROUNDS} times with one less`,
  { timeout: PATIENCE_MS },
  async () => {
    const dataDir = await directoryToRemove();
    const etcd = await Etcd.start(3);
    endings.push(() => etcd.close());
    const servers: Whereabouts[] = [];
    for (let i = 0; i < 2; i++) {
      const server = await startTestServer({ etcdServers: etcd.endpoints, dataDir, store: 'etcd' });
      endings.push(() => server.close());
      servers.push(async () => server.connection);
    }
    await record(servers, async (recording) => {
      for (let round = 0; round < ROUNDS; round++) {
        await recording.more(ENOUGH);
        await disturbMember(etcd, round);
      }
      await recording.more(ENOUGH);
    });
  },
);
