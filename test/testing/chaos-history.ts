import { createHash } from 'node:crypto';
import { type Chance, ManualClock } from '../../src/testing/manual-clock.ts';
import { startTestPlane, type TestPlane } from '../../src/testing/test-plane.ts';
import { seededRandom } from '../histories/simulated-world.ts';

const START = Date.UTC(2026, 10, 1);
const ROUNDS = 8;
const NAMES = ['a', 'b', 'c'];
const MAPS = '/api/v1/namespaces/default/configmaps';

/** Chance that one seed decides altogether. */
function seededChance(seed: number): Chance {
  const random = seededRandom(seed);
  const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => Math.floor(random() * 256)));
  const uuid = (): string => {
    const hex = bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  return { random, bytes, uuid };
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** One who sends requests without a socket, which would bring real time in. */
class Actor {
  readonly name: string;
  readonly random: () => number;
  readonly #plane: TestPlane;

  constructor(plane: TestPlane, name: string, seed: number) {
    this.name = name;
    this.#plane = plane;
    this.random = seededRandom(seed);
  }

  /** A connection that was broken off is status 0. */
  async send(method: string, target: string, body?: object, contentType = 'application/json'): Promise<Answer> {
    const headers = { accept: 'application/json', 'content-type': contentType, 'user-agent': 'history/1' };
    const text = body === undefined ? '' : JSON.stringify(body);
    const as = { user: this.name, groups: ['system:masters'] };
    const sent = this.#plane.server.inject({ method, target, headers, body: text, as });
    return sent.then(
      ({ status, body: answered }) => ({ status, body: answered.toString() }),
      () => ({ status: 0, body: '' }),
    );
  }

  pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.random() * all.length)] as T;
  }
}

async function write(writer: Actor, round: number): Promise<void> {
  const name = writer.pick(NAMES);
  const chosen = writer.random();
  const data = { by: writer.name, round: String(round) };
  if (chosen < 0.3) await writer.send('POST', MAPS, { metadata: { name }, data });
  else if (chosen < 0.4) await writer.send('DELETE', `${MAPS}/${name}`);
  else if (chosen < 0.7) await writer.send('PATCH', `${MAPS}/${name}`, { data }, 'application/merge-patch+json');
  else {
    const { status, body } = await writer.send('GET', `${MAPS}/${name}?resourceVersion=0`);
    if (status === 200) await writer.send('PUT', `${MAPS}/${name}`, { ...JSON.parse(body), data });
  }
}

/** Copies what there is, and then looks at what changes for some seconds. */
async function reconcile(controller: Actor): Promise<void> {
  const { status, body } = await controller.send('GET', `${MAPS}?resourceVersion=0`);
  if (status !== 200) return;
  const { metadata, items } = JSON.parse(body);
  for (const { metadata: of, data } of items) {
    if (!NAMES.includes(of.name)) continue;
    const copy = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `copy-${of.name}` }, data };
    const target = `${MAPS}/copy-${of.name}?fieldManager=controller&force=true`;
    await controller.send('PATCH', target, copy, 'application/apply-patch+yaml');
  }
  await controller.send('GET', `${MAPS}?watch=1&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=3`);
}

export interface ChaosHistory {
  /** Every request, answer and event, as the recording has them, and what chaos dealt. */
  readonly text: string;
  readonly digest: string;
  readonly dealt: number;
  readonly entries: number;
}

/** A controller and writers that a seed disturbs, on a clock that is advanced by hand. */
export async function chaosHistory(seed: number): Promise<ChaosHistory> {
  const runtime = new ManualClock({ start: START, chance: seededChance(seed) });
  await using plane = await startTestPlane({ runtime, controllers: ['-*'] });
  using chaos = plane.chaos({
    seed,
    latency: { probability: 0.3, min: 200, max: 2_000 },
    conflict: 0.2,
    gone: 0.3,
    tooMany: 0.1,
    disconnect: 0.15,
    staleRead: { probability: 0.5, olderThanSeen: true },
  });
  using recording = plane.record();
  const writers = ['alice', 'bob', 'carol'].map((name, at) => new Actor(plane, name, seed * 4 + at));
  const controller = new Actor(plane, 'controller', seed * 4 + 3);
  for (let round = 0; round < ROUNDS; round++) {
    let isOver = false;
    const steps = [...writers.map((writer) => write(writer, round)), reconcile(controller)];
    const all = Promise.all(steps).then(() => {
      isOver = true;
    });
    for (let second = 0; second < 600 && !isOver; second++) await plane.advance(1_000);
    if (!isOver) throw new Error(`seed ${seed}: round ${round} is not over after 600 seconds`);
    await all;
  }
  const text = `${recording.text()}${chaos.dealt.join('\n')}\n`;
  const digest = createHash('sha256').update(text).digest('hex');
  return { text, digest, dealt: chaos.dealt.length, entries: recording.entries.length };
}

/** Plays a seed twice. Undefined when both histories are the same byte by byte, else where they part. */
export async function compareHistories(
  seed: number,
): Promise<{ history: ChaosHistory; difference: string | undefined }> {
  const [first, second] = [await chaosHistory(seed), await chaosHistory(seed)];
  if (first.text === second.text) return { history: first, difference: undefined };
  const [ours, theirs] = [first.text.split('\n'), second.text.split('\n')];
  const at = ours.findIndex((line, index) => line !== theirs[index]);
  return { history: first, difference: `seed ${seed}, line ${at + 1}:\n${ours[at]}\n${theirs[at]}` };
}
