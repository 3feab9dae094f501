import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FlowQueue } from './fair-queues.ts';
import { type Candidate, PriorityLevel } from './priority-level.ts';
import { deal, entropyOf } from './shuffle-sharding.ts';

interface Job extends Candidate {
  readonly flow: string;
  readonly duration: number;
}

/** A level on a clock of its own: requests arrive, run for as long as they are said to, and leave. */
class Plant {
  readonly level: PriorityLevel<Job>;
  readonly begun: { flow: string; arrived: number; at: number }[] = [];
  refused = 0;
  now = 0;
  /** In the order of their times. */
  readonly #events: { at: number; act: () => void }[] = [];

  constructor(limit: number, queuing = { queues: 64, handSize: 4, queueLengthLimit: 1000 }) {
    this.level = new PriorityLevel('plant', { uid: '', limit, queuing });
  }

  at(time: number, act: () => void): void {
    const before = this.#events.findLastIndex(({ at }) => at <= time);
    this.#events.splice(before + 1, 0, { at: time, act });
  }

  /** `onDone`: what its client does next. */
  arrive(flow: string, seats: number, duration: number, onDone: () => void = () => {}): void {
    const arrived = this.now;
    let queue: FlowQueue<Job> | undefined;
    const begin = (taken: number): void => {
      this.begun.push({ flow, arrived, at: this.now });
      this.at(this.now + duration, () => {
        this.level.release(taken, queue, duration);
        onDone();
      });
    };
    const taken = this.level.take(seats);
    if (taken > 0) {
      begin(taken);
      return;
    }
    queue = this.level.enqueue('schema', flow, { seats, flow, duration, begin });
    if (!queue) this.refused++;
  }

  run(until = Number.POSITIVE_INFINITY): void {
    for (let next = this.#events.shift(); next && next.at <= until; next = this.#events.shift()) {
      this.now = next.at;
      next.act();
      expect(this.level.seatsInUse).toBeLessThanOrEqual(this.level.configuration.limit);
    }
  }
}

const handOf = (flow: string): number[] => deal(entropyOf('schema', flow), 64, 4);

const arrivals = fc.array(
  fc.record({
    at: fc.nat({ max: 50 }),
    flow: fc.constantFrom('a', 'b', 'c'),
    seats: fc.integer({ min: 1, max: 10 }),
    duration: fc.integer({ min: 1, max: 20 }),
  }),
  { maxLength: 60 },
);

describe('a priority level', () => {
  it('runs every request once, in the order of its flow, and never more than it has seats for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), arrivals, (limit, requests) => {
        const plant = new Plant(limit, { queues: 1, handSize: 1, queueLengthLimit: 1000 });
        for (const { at, flow, seats, duration } of requests) {
          plant.at(at, () => plant.arrive(flow, seats, duration));
        }
        plant.run();
        expect(plant.begun).toHaveLength(requests.length);
        expect(plant.begun.map(({ arrived }) => arrived)).toEqual(requests.map(({ at }) => at).sort((a, b) => a - b));
        expect(plant.level).toMatchObject({ seatsInUse: 0, executing: 0 });
        expect([...plant.level.queues.all()]).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('leaves no seat free that the next in turn could use', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), arrivals, (limit, requests) => {
        const plant = new Plant(limit);
        for (const { at, flow, seats, duration } of requests) {
          plant.at(at, () => plant.arrive(flow, seats, duration));
          plant.at(at, () => {
            const head = plant.level.queues.next()?.head;
            if (head) expect(plant.level.seatsInUse + Math.min(head.seats, limit)).toBeGreaterThan(limit);
          });
        }
        plant.run();
      }),
      { numRuns: 200 },
    );
  });

  it('lets an elephant starve no mouse: each waits for a turn or two, however long the queue of the elephant is', () => {
    const load = fc.record({
      limit: fc.integer({ min: 1, max: 6 }),
      elephants: fc.integer({ min: 1, max: 3 }),
      herd: fc.integer({ min: 50, max: 120 }),
      duration: fc.integer({ min: 3, max: 30 }),
      mouse: fc.string({ minLength: 1 }),
    });
    fc.assert(
      fc.property(load, ({ limit, elephants, herd, duration, mouse }) => {
        // One mouse of some thousands has no queue that is not an elephant's too: that much is left to chance.
        const taken = new Set(
          Array.from({ length: elephants }, (_, elephant) => handOf(`elephant ${elephant}`)).flat(),
        );
        fc.pre(handOf(mouse).some((queue) => !taken.has(queue)));
        const plant = new Plant(limit);
        for (let elephant = 0; elephant < elephants; elephant++) {
          // As soon as one of its requests is done it sends another.
          const again = (): void => plant.arrive(`elephant ${elephant}`, 1, duration, again);
          for (let sent = 0; sent < herd; sent++) plant.at(0, again);
        }
        // One request at a time, with a rest in between.
        const squeak = (): void => plant.arrive(mouse, 1, duration, () => plant.at(plant.now + 10, squeak));
        plant.at(100, squeak);
        plant.run(3000);
        const waits = plant.begun.filter(({ flow }) => flow === mouse).map(({ arrived, at }) => at - arrived);
        // Those that run come to their end, then each of the elephants' queues may have a turn.
        const longest = duration * (1 + Math.ceil((4 * elephants) / limit));
        for (const wait of waits) expect(wait).toBeLessThanOrEqual(longest);
        expect(waits.length).toBeGreaterThanOrEqual(Math.floor(2900 / (longest + duration + 10)));
      }),
      { numRuns: 20 },
    );
  });

  it('shares seats by time used, not by the number of requests', () => {
    const plant = new Plant(1, { queues: 64, handSize: 1, queueLengthLimit: 1000 });
    const used = new Map<string, number>();
    const send = (flow: string, duration: number): void =>
      plant.arrive(flow, 1, duration, () => {
        used.set(flow, (used.get(flow) ?? 0) + duration);
        send(flow, duration);
      });
    plant.at(0, () => {
      for (let sent = 0; sent < 5; sent++) {
        send('slow', 40);
        send('quick', 2);
      }
    });
    plant.run(20_000);
    const ratio = (used.get('slow') ?? 0) / (used.get('quick') ?? 1);
    expect(ratio).toBeGreaterThan(0.8);
    expect(ratio).toBeLessThan(1.25);
  });

  it('lets nobody save up: a flow that was idle for long shares with the others from the start', () => {
    const plant = new Plant(1, { queues: 64, handSize: 1, queueLengthLimit: 1000 });
    const send = (flow: string): void => plant.arrive(flow, 1, 10, () => send(flow));
    plant.at(0, () => {
      for (let sent = 0; sent < 5; sent++) send('steady');
    });
    plant.at(10_000, () => {
      for (let sent = 0; sent < 50; sent++) send('late');
    });
    plant.run(11_000);
    const turns = plant.begun.filter(({ at }) => at > 10_000).map(({ flow }) => flow);
    const steady = turns.filter((flow) => flow === 'steady').length;
    expect(steady / turns.length).toBeGreaterThan(0.4);
    expect(steady / turns.length).toBeLessThan(0.6);
  });

  it('has no more than so many wait in a queue', () => {
    const plant = new Plant(1, { queues: 8, handSize: 2, queueLengthLimit: 3 });
    for (let sent = 0; sent < 20; sent++) plant.arrive('a', 1, 5);
    expect(plant.level.queues.length).toBe(2 * 3);
    expect(plant.refused).toBe(20 - 1 - 6);
  });

  it('refuses at once when nobody may wait', () => {
    const level = new PriorityLevel('plant', { uid: '', limit: 2, queuing: undefined });
    expect([level.take(1), level.take(1), level.take(1)]).toEqual([1, 1, 0]);
    expect(level.enqueue('schema', 'a', { seats: 1, begin() {} })).toBeUndefined();
    level.release(1, undefined, 1);
    expect(level.take(5)).toBe(0);
    level.release(1, undefined, 1);
    expect(level.take(5)).toBe(2);
  });

  it('has those who wait begin when it gets more seats, and when a large one before them gives up', () => {
    const begun: string[] = [];
    const level = new PriorityLevel('plant', {
      uid: '',
      limit: 2,
      queuing: { queues: 1, handSize: 1, queueLengthLimit: 9 },
    });
    const job = (name: string, seats: number) => ({ seats, begin: (taken: number) => begun.push(`${name} ${taken}`) });
    level.take(1);
    const large = job('large', 2);
    const queue = level.enqueue('schema', '', large);
    level.enqueue('schema', '', job('small', 1));
    expect(begun).toEqual([]);
    if (queue) level.abandon(queue, large);
    expect(begun).toEqual(['small 1']);
    level.enqueue('schema', '', job('late', 4));
    level.configure({ ...level.configuration, limit: 5 });
    expect(begun).toEqual(['small 1']);
    level.configure({ ...level.configuration, limit: 6 });
    expect(begun).toEqual(['small 1', 'late 4']);
  });
});
