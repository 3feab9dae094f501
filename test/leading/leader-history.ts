import assert from 'node:assert/strict';
import { LEASE_TIMES } from '../../src/client/leading/lead.ts';
import { SimulatedProcess, SimulatedWorld, settle } from '../histories/simulated-world.ts';
import { Candidate } from './candidate.ts';
import { ModelledLease } from './modelled-lease.ts';

const MINUTE = 60_000;
/** A request that was lost takes a term, then others wait for the lease to end. */
const RECOVERY = 2 * LEASE_TIMES.termMs + LEASE_TIMES.leaseMs + 3 * LEASE_TIMES.periodMs;
const LONGEST_STOP = 40_000;
/** Two requests there and back, of at most a tenth of a second each way. */
const REQUESTS = 1_000;

export interface LeaderTally {
  gained: number;
  stops: number;
  writes: number;
  transitions: number;
  instants: number;
  released: number;
}

export const emptyLeaderTally = (): LeaderTally => ({
  gained: 0,
  stops: 0,
  writes: 0,
  transitions: 0,
  instants: 0,
  released: 0,
});

/** Plays one seed; rejects with what went wrong and when. */
export async function simulateLeaders(
  seed: number,
  minutes: number,
  tally: LeaderTally = emptyLeaderTally(),
): Promise<void> {
  const history = new LeaderHistory(seed, tally);
  try {
    await history.run(minutes * MINUTE);
  } catch (cause) {
    const second = (history.elapsed / 1000).toFixed(1);
    throw new Error(`seed ${seed}, second ${second}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** Some candidates for one Lease, stopped and cut off as a seed decides. */
class LeaderHistory {
  readonly #world: SimulatedWorld;
  /** What happens to the candidates. */
  readonly #process: SimulatedProcess;
  readonly #lease: ModelledLease;
  readonly #candidates: readonly Candidate[];
  readonly #tally: LeaderTally;
  #isRough = true;

  constructor(seed: number, tally: LeaderTally) {
    const world = new SimulatedWorld(seed);
    this.#world = world;
    this.#tally = tally;
    this.#process = new SimulatedProcess(world);
    this.#lease = new ModelledLease(world);
    this.#lease.roughness = [0, 0.05, 0.2, 0.4][world.below(4)] ?? 0;
    const count = 2 + world.below(4);
    this.#candidates = Array.from({ length: count }, (_, at) => new Candidate(`candidate-${at}`, world, this.#lease));
    this.#stopNowAndThen(world.random() * MINUTE);
  }

  get elapsed(): number {
    return this.#world.elapsed;
  }

  async run(milliseconds: number): Promise<void> {
    await this.#passUntil(milliseconds);
    this.#isRough = false;
    this.#lease.roughness = 0;
    await this.#passUntil(this.elapsed + LONGEST_STOP + RECOVERY);
    await this.#expectOneForLong();
    await this.#closeOneByOne();
    const { leaseTransitions } = this.#lease.stored?.spec ?? {};
    assert.equal(leaseTransitions, this.#lease.transitions, 'transitions were not counted');
    this.#tally.writes += this.#lease.writes;
    this.#tally.transitions += this.#lease.transitions;
    this.#tally.gained += this.#candidates.reduce((sum, { begun }) => sum + begun, 0);
  }

  /** All is well: one leads, and goes on leading. */
  async #expectOneForLong(): Promise<void> {
    const { holder, transitions } = this.#lease;
    assert(this.#leaders().includes(holder), 'nobody leads though all is well');
    await this.#passUntil(this.elapsed + 10 * MINUTE);
    assert.deepEqual(this.#leaders(), [holder], 'leadership was lost though all is well');
    assert.equal(this.#lease.transitions, transitions);
  }

  /** What a leader gives up another takes when it looks next. */
  async #closeOneByOne(): Promise<void> {
    for (let left = this.#candidates.length - 1; left >= 0; left--) {
      const leader = this.#candidates.find(({ isLeading }) => isLeading);
      assert(leader, 'nobody took what was released');
      void leader.close();
      await this.#passUntil(this.elapsed + REQUESTS);
      if (left === 0) assert.equal(this.#lease.holder, '', 'the last one kept the Lease');
      await this.#passUntil(this.elapsed + LEASE_TIMES.periodMs + REQUESTS);
      this.#tally.released++;
    }
  }

  async #passUntil(milliseconds: number): Promise<void> {
    await settle();
    // Time passes also where nothing is due.
    this.#process.after(milliseconds - this.elapsed, () => undefined);
    while (this.elapsed < milliseconds) {
      this.#world.pass();
      await settle();
      this.#check();
    }
  }

  #check(): void {
    this.#tally.instants++;
    const leaders = this.#leaders();
    assert(leaders.length <= 1, `${leaders.join(' and ')} lead at once`);
    const [leader] = leaders;
    assert(leader === undefined || leader === this.#lease.holder, `${leader} leads, ${this.#lease.holder} may`);
    for (const { name, term, isHeldUp } of this.#candidates) {
      assert(isHeldUp || (term?.left ?? 0) > -1, `${name} goes on though its term is over`);
    }
  }

  #leaders(): string[] {
    return this.#candidates.filter(({ isLeading }) => isLeading).map(({ name }) => name);
  }

  #stopNowAndThen(pace: number): void {
    this.#process.after(this.#world.random() * 2 * pace, () => {
      if (!this.#isRough) return;
      this.#candidates[this.#world.below(this.#candidates.length)]?.stop(this.#world.below(LONGEST_STOP));
      this.#tally.stops++;
      this.#stopNowAndThen(pace);
    });
  }
}
