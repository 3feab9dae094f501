import assert from 'node:assert/strict';
import { StorageUnavailable } from '../../src/storage/backend.ts';
import { DiskBackend } from '../../src/storage/disk-backend.ts';
import { VersionLog } from '../../src/storage/log/version-log.ts';
import { type Defects, SimulatedDisk } from './simulated-disk.ts';
import { SimulatedProcess, SimulatedWorld, settle } from './simulated-world.ts';
import { type Attempt, COLLECTION, Witness } from './witness.ts';

const KEYS = ['a/1', 'a/2', 'b/1', 'b/2'].map((rest) => `/${COLLECTION}/${rest}`);
const STEPS = 160;
const RETENTION_MS = 120;

/** What happened in one simulation, to see that it was worth running. */
export interface Tally {
  acknowledged: number;
  conflicts: number;
  failed: number;
  kills: number;
  powerCuts: number;
  restarts: number;
  compactions: number;
}

export const emptyTally = (): Tally => ({
  acknowledged: 0,
  conflicts: 0,
  failed: 0,
  kills: 0,
  powerCuts: 0,
  restarts: 0,
  compactions: 0,
});

/** Plays one seed; rejects with what went wrong and when. */
export async function simulate(seed: number, tally: Tally = emptyTally(), defects: Defects = {}): Promise<void> {
  const simulation = new Simulation(seed, tally, defects);
  for (let step = 0; step < STEPS; step++) {
    try {
      await simulation.step();
    } catch (cause) {
      throw new Error(`seed ${seed}, step ${step}: ${cause instanceof Error ? cause.message : cause}`, { cause });
    }
  }
}

/** A store that is written to, killed, cut from power and started again, as one seed decides. */
class Simulation {
  readonly #world: SimulatedWorld;
  readonly #disk: SimulatedDisk;
  readonly #tally: Tally;
  readonly #witness = new Witness();
  /** Some seeds are rough, some leave the store long lives. */
  readonly #roughness: number;
  /** Some hold history in memory, some leave all or most of it to the disk. */
  readonly #historyMemory: number;
  #process: SimulatedProcess | undefined;
  /** Undefined while the process is starting. */
  #log: VersionLog | undefined;
  #life = 0;
  #written = 0;
  /** What went wrong where nobody waited for it. */
  #problem: unknown;

  constructor(seed: number, tally: Tally, defects: Defects) {
    this.#world = new SimulatedWorld(seed);
    this.#disk = new SimulatedDisk(this.#world, defects);
    this.#tally = tally;
    this.#roughness = 0.01 + 0.1 * this.#world.random();
    this.#historyMemory = [0, 3_000, 1_000_000][this.#world.below(3)] ?? 0;
  }

  async step(): Promise<void> {
    this.#act();
    await settle();
    if (this.#problem !== undefined) throw this.#problem;
  }

  #act(): void {
    if (this.#process === undefined) this.#background(this.#start());
    else if (this.#world.chance(this.#roughness)) this.#disturb();
    else if (this.#log === undefined || this.#world.chance(0.45)) this.#world.pass();
    else this.#use(this.#log);
  }

  #disturb(): void {
    const roll = this.#world.random();
    if (roll < 0.5) this.#kill();
    else if (roll < 0.9) this.#cutPower();
    else this.#world.jump(this.#world.below(2 * RETENTION_MS) - RETENTION_MS);
  }

  #use(log: VersionLog): void {
    const roll = this.#world.random();
    if (roll < 0.04) this.#background(this.#stop(log));
    else if (roll < 0.2) this.#witness.compare(log);
    else this.#background(this.#write(log));
  }

  #background(work: Promise<void>): void {
    const process = this.#process;
    work.catch((error: unknown) => {
      if (process === undefined || process.alive) this.#problem ??= error;
    });
  }

  async #start(): Promise<void> {
    const process = new SimulatedProcess(this.#world);
    this.#process = process;
    const life = ++this.#life;
    const backend = new DiskBackend(process, this.#disk.accessFor(process));
    const log = await VersionLog.open(backend, {
      runtime: process,
      retentionMs: RETENTION_MS,
      historyMemory: this.#historyMemory,
      onCompaction: () => this.#tally.compactions++,
      onError: (error) => {
        if (!(error instanceof StorageUnavailable)) this.#problem ??= error;
      },
    }).catch((error: unknown) => {
      if (this.#process === process) this.#process = undefined;
      if (!isDiskFailure(error)) throw error;
    });
    if (log === undefined || !process.alive) return;
    assert(log.revision >= this.#witness.newest, `started at ${log.revision} after ${this.#witness.newest} was shown`);
    const see = { onVersions: (news: readonly Parameters<Witness['see']>[0][]) => this.#seeAll(news, life) };
    log.subscribe(COLLECTION, { after: this.#witness.newest }, see);
    this.#witness.compare(log);
    this.#log = log;
  }

  /** A witness that throws here would only be reported to the log. */
  #seeAll(versions: readonly Parameters<Witness['see']>[0][], life: number): void {
    try {
      for (const version of versions) this.#witness.see(version, life);
    } catch (error) {
      this.#problem ??= error;
    }
  }

  async #stop(log: VersionLog): Promise<void> {
    const process = this.#process;
    this.#log = undefined;
    await log.close();
    if (this.#process !== process) return;
    if (process) process.alive = false;
    this.#process = undefined;
    this.#tally.restarts++;
  }

  #kill(): void {
    if (this.#process) this.#process.alive = false;
    this.#process = undefined;
    this.#log = undefined;
    this.#tally.kills++;
  }

  #cutPower(): void {
    this.#kill();
    this.#disk.cutPower();
    this.#tally.powerCuts++;
  }

  async #write(log: VersionLog): Promise<void> {
    const attempt = this.#attempt(log);
    this.#witness.tried(attempt);
    const { key, expected, text } = attempt;
    try {
      const result = await log.commit({ key, expected, value: { head: '', tail: text }, delete: attempt.deleted });
      if (result.conflict) {
        assert.notEqual(result.revision, expected);
        attempt.fate = 'conflict';
        this.#tally.conflicts++;
        return;
      }
      attempt.fate = 'acknowledged';
      this.#tally.acknowledged++;
      this.#witness.recognise(result.version);
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      attempt.fate = 'failed';
      this.#tally.failed++;
    }
  }

  /** Mostly built on what the key has, at times on what it might get from a write that is under way. */
  #attempt(log: VersionLog): Attempt {
    const key = KEYS[this.#world.below(KEYS.length)] ?? '';
    const existing = log.get(key);
    const guess = this.#world.chance(0.15) ? log.revision + this.#world.below(3) : 0;
    const expected = guess || (existing?.revision ?? 0);
    const deleted = expected > 0 && this.#world.chance(0.25);
    return { text: `#${++this.#written}`, key, expected, deleted, life: this.#life, fate: 'unknown' };
  }
}

const isDiskFailure = (error: unknown): boolean => error instanceof Error && error.message.includes('the disk ');
