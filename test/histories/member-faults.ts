import { type ChildProcess, spawn } from 'node:child_process';
import type { Etcd } from '../support/etcd.ts';
import type { TcpProxy } from '../support/tcp-proxy.ts';

/** What can fail below servers over one etcd. */
export interface Ground {
  readonly etcd: Etcd;
  /** By server, then by member: what lies between the two. */
  readonly links: readonly (readonly TcpProxy[])[];
  /** A whole number in [0, bound), by seed. */
  below(bound: number): number;
  /** Whether disks can be slowed: strace is there, and may look into processes. */
  readonly canTrace: boolean;
}

/** Undoes a fault. What has stopped by itself meanwhile may still need a moment. */
type Mend = () => void | Promise<void>;

interface Fault {
  readonly name: string;
  strike(ground: Ground): Mend | Promise<Mend>;
}

const anyMember = ({ etcd, below }: Ground): number => below(etcd.members.length);

/** A call of a member's JSON gateway; empty when it does not answer. */
async function ask(url: string, path: string, body: object): Promise<string> {
  const request = { method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(2_000) };
  const answer = await fetch(`${url}/v3/maintenance/${path}`, request).catch(() => undefined);
  return (await answer?.text().catch(() => '')) ?? '';
}

interface Standing {
  readonly member: number;
  readonly id: string;
  readonly leader: string;
}

/** What the members that answer say of themselves and of who leads. */
export async function standings({ members }: Etcd): Promise<Standing[]> {
  const asked = members.map(async ({ url }, member) => {
    const status = await ask(url, 'status', {});
    const [, id] = /"member_id":"(\d+)"/.exec(status) ?? [];
    const [, leader = ''] = /"leader":"(\d+)"/.exec(status) ?? [];
    return id === undefined ? [] : [{ member, id, leader }];
  });
  return (await Promise.all(asked)).flat();
}

/** The member that leads, or any when none is known to. */
async function leaderOr(ground: Ground): Promise<number> {
  const leader = (await standings(ground.etcd)).find(({ id, leader }) => id === leader);
  return leader?.member ?? anyMember(ground);
}

const SLOW_MICROS = 150_000;
const [BURST_MS, PAUSE_MS] = [150, 50];

/** Every write of a member to its disk takes long. */
function slowDisk(pid: number): Mend {
  const calls = 'fdatasync,fsync';
  const args = [
    '-qq',
    '-f',
    '-p',
    String(pid),
    '-e',
    `trace=${calls}`,
    '-e',
    `inject=${calls}:delay_enter=${SLOW_MICROS}`,
  ];
  const tracer = spawn('strace', [...args, '-o', '/dev/null'], { stdio: 'ignore' });
  return () => ended(tracer);
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve()).once('error', () => resolve());
    // Lets go of the process it looks into, and goes.
    child.kill('SIGTERM');
  });
}

/** A member that is stopped again and again does everything slowly, its disk included. */
function stutter(member: Etcd['members'][number]): Mend {
  let over = false;
  const go = async (): Promise<void> => {
    while (!over) {
      member.freeze();
      await new Promise((resolve) => setTimeout(resolve, BURST_MS));
      member.thaw();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const going = go();
  return () => {
    over = true;
    return going;
  };
}

function stopped(ground: Ground, which: readonly number[]): Mend {
  const members = which.flatMap((at) => ground.etcd.members[at] ?? []);
  for (const member of members) member.freeze();
  return () => {
    for (const member of members) member.thaw();
  };
}

/** Connections of a server to some of the members; what is done to them is undone by `restore`. */
function linkFault(name: string, all: boolean, fail: (link: TcpProxy) => void): Fault {
  return {
    name,
    strike({ links, below }) {
      const server = links[below(links.length)] ?? [];
      const one = below(server.length);
      const failing = server.filter((_, member) => all || member === one);
      failing.forEach(fail);
      return () => {
        for (const link of failing) link.restore();
      };
    },
  };
}

export const FAULTS: readonly Fault[] = [
  {
    name: 'a member killed',
    async strike(ground) {
      const member = ground.etcd.members[anyMember(ground)];
      await member?.stop('SIGKILL');
      return () => member?.start();
    },
  },
  {
    name: 'the leader killed',
    async strike(ground) {
      const member = ground.etcd.members[await leaderOr(ground)];
      await member?.stop('SIGKILL');
      return () => member?.start();
    },
  },
  { name: 'a member stopped', strike: (ground) => stopped(ground, [anyMember(ground)]) },
  { name: 'the leader stopped', strike: async (ground) => stopped(ground, [await leaderOr(ground)]) },
  {
    name: 'two members stopped',
    strike(ground) {
      const first = anyMember(ground);
      return stopped(ground, [first, (first + 1) % ground.etcd.members.length]);
    },
  },
  {
    name: 'a member without the others',
    async strike(ground) {
      const { network } = ground.etcd;
      network.isolate(ground.below(2) === 0 ? await leaderOr(ground) : anyMember(ground));
      return () => network.heal();
    },
  },
  {
    name: 'a member that cannot call another',
    strike(ground) {
      const from = anyMember(ground);
      const { network, members } = ground.etcd;
      network.cut(from, (from + 1 + ground.below(members.length - 1)) % members.length);
      return () => network.heal();
    },
  },
  linkFault('a server cut off from a member', false, (link) => link.cut()),
  linkFault('a server cut off from etcd', true, (link) => link.cut()),
  linkFault('a server that gets no answers from a member', false, (link) => link.mute()),
  linkFault('a server that gets no answers from etcd', true, (link) => link.mute()),
  {
    name: 'a slow disk',
    strike(ground) {
      const member = ground.etcd.members[anyMember(ground)];
      return ground.canTrace && member?.pid !== undefined ? slowDisk(member.pid) : () => undefined;
    },
  },
  {
    name: 'slow disks everywhere',
    async strike(ground) {
      const pids = ground.canTrace ? ground.etcd.members.flatMap(({ pid }) => pid ?? []) : [];
      const mends = pids.map(slowDisk);
      return async () => {
        await Promise.all(mends.map((mend) => mend()));
      };
    },
  },
  {
    name: 'a stuttering member',
    strike(ground) {
      const member = ground.etcd.members[anyMember(ground)];
      return member ? stutter(member) : () => undefined;
    },
  },
  {
    name: 'the leader moved',
    async strike(ground) {
      const known = await standings(ground.etcd);
      const leader = known.find(({ id, leader }) => id === leader);
      const others = known.filter((one) => one !== leader);
      const next = others[ground.below(others.length)];
      const url = ground.etcd.members[leader?.member ?? 0]?.url;
      if (url && next) await ask(url, 'transfer-leadership', { targetID: next.id });
      return () => undefined;
    },
  },
];
