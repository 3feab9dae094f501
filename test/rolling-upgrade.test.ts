import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import type { Connection } from '../src/outbound/config.ts';
import { Ledger } from './histories/ledger.ts';
import { refuteOrder } from './histories/ordered-history.ts';
import { Follower, Recording, useRegisters, type Whereabouts } from './histories/register-clients.ts';
import { Command, endCommands, programOf } from './support/command.ts';
import { Etcd } from './support/etcd.ts';
import { FormerServer } from './support/former-server.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { havePeer } from './support/peers.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

/**
 * Only where it is asked for: an earlier commit is built. Its short form, with what such a server did, is in
 * `etcd-formats.test.ts`.
 */
const COMMIT = process.env.FORMER_COMMIT ?? '';
/** How long each mixture of servers is at work. */
const PHASE_MS = Number(process.env.UPGRADE_SECONDS ?? 20) * 1000;
const CLIENTS = 6;

const root = fileURLToPath(new URL('..', import.meta.url));
const endings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The server as it was at a commit, built in a directory of its own. */
function build(commit: string, directory: string): string {
  mkdirSync(directory);
  const run = (command: string, cwd: string): void => {
    const { status, stderr } = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command}: ${stderr}`);
  };
  run(`git archive ${commit} | tar x -C ${directory}`, root);
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  run('node build.mjs', directory);
  return programOf(join(directory, 'dist'));
}

it.runIf(COMMIT !== '' && havePeer('etcd', '--version'))(
  `servers of ${COMMIT} are replaced one by one while clients are at work`,
  { timeout: 300_000 + 4 * PHASE_MS },
  async () => {
    const directory = await makeDirectory();
    endings.push(() => removeDirectory(directory), endCommands);
    const older = build(COMMIT, join(directory, 'older'));
    const etcd = await Etcd.start();
    endings.push(() => etcd.close());
    const former = new FormerServer(etcd.endpoints);
    endings.push(async () => former.close());

    const start = (program?: string): Command => {
      const flags = [`--etcd-servers=${etcd.endpoints}`, '--secure-port=0', '--data-dir=shared'];
      return new Command(flags, directory, program);
    };
    const connectionOf = async (command: Command): Promise<Connection> => {
      await command.ready();
      return command.connection('shared');
    };
    const servers: { command: Command; connection: Promise<Connection> }[] = [];
    for (let i = 0; i < 2; i++) {
      const command = start(older);
      servers.push({ command, connection: connectionOf(command) });
      await servers[i]?.connection;
    }
    const whereIs = (server: number): Whereabouts => {
      return () => servers[server % servers.length]?.connection ?? Promise.reject(new Error('no such server'));
    };

    const recording = new Recording();
    const ledger = new Ledger();
    const followers = servers.map((_, i) => new Follower(whereIs(i), 1, ledger.page()));
    let over = false;
    const clients = Array.from({ length: CLIENTS }, (_, i) => useRegisters(whereIs(i), recording, i, () => !over, 20));
    await pause(PHASE_MS);
    for (const server of servers) {
      expect(await former.identity()).toMatch(/^1 /);
      server.command.signal('SIGTERM');
      server.connection = server.command.exit.then(() => {
        server.command = start();
        return connectionOf(server.command);
      });
      await server.connection;
      await pause(PHASE_MS);
    }
    await expect.poll(() => former.identity(), { timeout: PATIENCE_MS }).toMatch(/^2 /);
    over = true;
    await Promise.all(clients);

    const last = Math.max(...recording.acknowledged.map(({ revision }) => revision));
    await Promise.all(followers.map((follower) => follower.finish(last)));
    expect(ledger.problem).toBeUndefined();
    const changes = ledger.upTo(Number.POSITIVE_INFINITY).filter(({ key }) => recording.keys.includes(key));
    expect(refuteOrder(changes, recording.exchanges)).toBeUndefined();
    console.info(`${recording.answered} answered, ${recording.refused} refused, ${recording.doubtful} in doubt`);
    const tooLate = await start(older).exit;
    expect(tooLate.code).toBe(1);
    expect(tooLate.stderr).toMatch(/the data format 2 below/);
  },
);
