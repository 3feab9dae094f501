import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Connection } from '../../src/outbound/config.ts';
import { http1Client } from '../support/client.ts';
import { type Command, endCommands, startCommand } from '../support/command.ts';
import { Etcd } from '../support/etcd.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { havePeer } from '../support/peers.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { makeDirectory, removeDirectory } from '../support/temporary-directory.ts';
import { Ledger } from './ledger.ts';
import { FAULTS, type Ground, standings } from './member-faults.ts';
import { refuteOrder } from './ordered-history.ts';
import { Follower, MAPS, Recording, useRegisters, type Whereabouts, writeLast } from './register-clients.ts';
import { seededRandom } from './simulated-world.ts';

/** The long form goes on for so many minutes; see `npm run faults`. */
const MINUTES = Number(process.env.FAULT_MINUTES ?? 0);
const SEED = Number(process.env.FAULT_SEED ?? 1);
const isLong = MINUTES > 0;
/** Which faults to play, by a part of their names. */
const ONLY = process.env.FAULT_ONLY ?? '';
const SHORT_FAULTS = 3;
const [WRITERS, FOLLOWERS] = isLong ? [32, 50] : [8, 6];
const KEYS = Array.from({ length: isLong ? 16 : 4 }, (_, i) => `register-${i}`);
/** Longest and shortest time a fault lasts, of which short ones are as frequent as long ones. */
const [SHORTEST_MS, LONGEST_MS] = isLong ? [200, 20_000] : [300, 1_500];
/** How often another fault comes on top of one. */
const SECOND = 0.3;
const PAUSE_MS = isLong ? 100 : 20;
const SAMPLE_MS = 5_000;
const SILENCE_MS = 4_000;
/** Memory is level when the last part of a run needs so much of what an earlier one did, or so much more. */
const [LEVEL_RATIO, LEVEL_BYTES] = [1.25, 48 << 20];

/** What is to be ended, last first. */
const endings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Stand {
  readonly ground: Ground;
  readonly commands: readonly Command[];
  readonly connections: readonly Connection[];
}

/** Three members, two servers, and something between any two of them that can fail. */
async function build(random: () => number): Promise<Stand> {
  const directory = await makeDirectory();
  endings.push(() => removeDirectory(directory), endCommands);
  const etcd = await Etcd.start(3);
  endings.push(() => etcd.close());
  const secret = join(directory, 'shared.key');
  writeFileSync(secret, 'a secret of both servers, long enough to be one');
  const links: TcpProxy[][] = [];
  const commands: Command[] = [];
  const connections: Connection[] = [];
  for (let server = 0; server < 2; server++) {
    const between = await Promise.all(etcd.endpoints.map((url) => TcpProxy.to(url)));
    for (const proxy of between) endings.push(() => proxy.close());
    links.push(between);
    const dataDir = `server-${server}`;
    const members = between.map(({ url }) => url).join(',');
    const flags = [`--etcd-servers=${members}`, `--etcd-shared-key-file=${secret}`, `--data-dir=${dataDir}`];
    const command = startCommand(directory, ...flags);
    await command.ready();
    commands.push(command);
    connections.push(await command.connection(dataDir));
  }
  const canTrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;
  return {
    ground: { etcd, links, canTrace, below: (bound) => Math.floor(random() * bound) },
    commands,
    connections,
  };
}

/** Memory of a process that belongs to no file, in bytes; 0 where that cannot be told. */
function memoryOf({ pid }: Command): number {
  try {
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Looks now and then; gives the way to stop. */
function sampling(commands: readonly Command[]): () => number[][] {
  const samples = commands.map((): number[] => []);
  const timer = setInterval(() => {
    for (const [i, command] of commands.entries()) samples[i]?.push(memoryOf(command));
  }, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return samples;
  };
}

/** Tells when nothing has been answered for some seconds, and what etcd says of itself then. */
function watchingSilence({ etcd }: Ground, recording: Recording): () => void {
  let [answered, since] = [0, performance.now()];
  const timer = setInterval(async () => {
    const now = performance.now();
    if (recording.answered === answered && now - since < SILENCE_MS) return;
    if (recording.answered === answered) {
      const known = (await standings(etcd)).map(({ member, id, leader }) => {
        return `m${member} ${leader === '' ? 'knows no leader' : leader === id ? 'leads' : 'follows'}`;
      });
      console.info(`nothing answered for ${Math.round(now - since)} ms: ${known.join(', ') || 'no member answers'}`);
    }
    [answered, since] = [recording.answered, now];
  }, 500);
  return () => clearInterval(timer);
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** The second fifth of a run is past the beginning; the last is as far from it as there is. */
function expectLevel(samples: readonly number[]): void {
  const part = Math.floor(samples.length / 5);
  const [early, late] = [median(samples.slice(part, 2 * part)), median(samples.slice(-part))];
  console.info(`memory: ${early >> 20} MiB in the second fifth, ${late >> 20} MiB in the last`);
  expect(late).toBeLessThan(Math.max(early * LEVEL_RATIO, early + LEVEL_BYTES));
}

/** Writes until a server takes it again; milliseconds. */
async function recovery(connection: Connection): Promise<number> {
  const client = http1Client(connection);
  const begun = performance.now();
  const write = () =>
    client.request('PATCH', '/api/v1/namespaces/default', { metadata: { annotations: { begun: String(begun) } } });
  try {
    for (;;) {
      const answer = await write().catch(() => undefined);
      const took = performance.now() - begun;
      if (answer?.status === 200) return took;
      if (took > PATIENCE_MS) throw new Error(`a server does not go on: ${answer?.text ?? 'it does not answer'}`);
      await pause(50);
    }
  } finally {
    client.close();
  }
}

/** One or two faults at a time, each for a while; after each round everything goes on by itself. */
async function disturb({ ground, connections }: Stand, random: () => number, recording: Recording): Promise<void> {
  const faults = FAULTS.filter(({ name }) => name.includes(ONLY));
  const began = performance.now();
  const goesOn = (rounds: number) => (isLong ? performance.now() - began < MINUTES * 60_000 : rounds < SHORT_FAULTS);
  for (let round = 0; goesOn(round); round++) {
    const chosen = Array.from({ length: random() < SECOND ? 2 : 1 }, () => faults[ground.below(faults.length)]);
    const lasts = SHORTEST_MS * (LONGEST_MS / SHORTEST_MS) ** random();
    const before = { ...recording };
    const mends = [];
    for (const fault of chosen) mends.push(await fault?.strike(ground));
    await pause(lasts);
    for (const mend of mends) await mend?.();
    await Promise.all(ground.etcd.members.map((member) => member.ready()));
    const took = await Promise.all(connections.map(recovery));
    await recording.more(KEYS.length * 2);
    if (!isLong) continue;
    const names = chosen.map((fault) => fault?.name).join(' and ');
    const counts = (['answered', 'refused', 'doubtful'] as const).map(
      (word) => `${recording[word] - before[word]} ${word}`,
    );
    const seconds = Math.round((performance.now() - began) / 1000);
    console.info(
      `${seconds} s: ${names} for ${Math.round(lasts)} ms: ${counts.join(', ')}; back after ${took.map(Math.round)} ms`,
    );
  }
}

it.runIf(havePeer('etcd', '--version'))(
  'two servers over an etcd whose members fail in every way lose nothing, tell one story, and go on by themselves',
  { timeout: 120_000 + MINUTES * 120_000 },
  async () => {
    const random = seededRandom(SEED);
    const stand = await build(random);
    const { connections } = stand;
    const recording = new Recording(KEYS);
    const ledgers = new Map(['', ...KEYS].map((key) => [key, new Ledger()]));
    const client = http1Client(connections[0] as Connection);
    const { body } = await client.request('GET', MAPS);
    client.close();
    const begin = Number(body.metadata.resourceVersion);
    /** Every other follower follows one register; all go on with the other server when a watch ends. */
    const followers = Array.from({ length: FOLLOWERS }, (_, i) => {
      let server = i;
      const whereabouts: Whereabouts = async () => connections[server++ % connections.length] as Connection;
      const key = i % 2 === 0 ? '' : (KEYS[(i >> 1) % KEYS.length] ?? '');
      const take = ledgers.get(key)?.page() ?? (() => undefined);
      return { key, follower: new Follower(whereabouts, begin, take, key === '' ? undefined : key) };
    });
    let over = false;
    const writers = Array.from({ length: WRITERS }, (_, i) => {
      const whereabouts: Whereabouts = async () => connections[i % connections.length] as Connection;
      return useRegisters(whereabouts, recording, SEED * 1_000 + i, () => !over, PAUSE_MS);
    });
    const samples = sampling(stand.commands);
    endings.push(async () => void samples());
    if (isLong) {
      const stop = watchingSilence(stand.ground, recording);
      endings.push(async () => stop());
    }
    await disturb(stand, random, recording).finally(() => {
      over = true;
    });
    await Promise.all(writers);
    await writeLast(connections[0] as Connection, recording);

    const lastOf = (key: string): number =>
      recording.acknowledged.reduce(
        (last, one) => (key === '' || one.key === key ? Math.max(last, one.revision) : last),
        begin,
      );
    await Promise.all(followers.map(({ key, follower }) => follower.finish(lastOf(key))));
    for (const { problem } of ledgers.values()) expect(problem).toBeUndefined();
    const everything = ledgers.get('')?.upTo(Number.POSITIVE_INFINITY) ?? [];
    for (const key of KEYS) {
      const last = lastOf(key);
      const own = ledgers.get(key)?.upTo(last) ?? [];
      // Not every register has a watch of its own in the short form.
      if (own.length > 0) expect(own).toEqual(everything.filter((one) => one.key === key && one.revision <= last));
    }
    expect(refuteOrder(everything, recording.exchanges)).toBeUndefined();
    const { answered, refused, doubtful } = recording;
    if (!isLong) return;
    console.info(
      `${answered} operations answered, ${refused} refused, ${doubtful} in doubt, ${everything.length} changes`,
    );
    for (const one of samples()) expectLevel(one);
  },
);
