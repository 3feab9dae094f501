import { expect } from 'vitest';
import type { Connection } from '../../src/outbound/config.ts';
import { type Client, type Answer as HttpAnswer, http2Client } from '../support/client.ts';
import { openWatch, type Watch } from '../support/watch.ts';
import { refuteLinearizability } from './linearizability.ts';
import { type Answer, type Exchange, operationOf, type Request } from './register.ts';
import { seededRandom, settle } from './simulated-world.ts';

export const MAPS = '/api/v1/namespaces/default/configmaps';
const KEYS = ['register-0', 'register-1', 'register-2'];
const LONGEST_MS = 15_000;
/** What these answer has not been done, and will not be: too many requests, unavailable. */
const UNDONE = new Set([429, 503]);

/** Where the server is, once there is one; changes when it is started anew. */
export type Whereabouts = () => Promise<Connection>;

/** A write that was acknowledged, with the version it was told. */
interface Acknowledged {
  readonly key: string;
  readonly mark: string;
  readonly revision: number;
}

/** Everything that clients did and were told. */
export class Recording {
  readonly keys: readonly string[];
  readonly exchanges: Exchange[] = [];
  readonly acknowledged: Acknowledged[] = [];
  answered = 0;
  /** The server could not do them, and said so. */
  refused = 0;
  doubtful = 0;

  constructor(keys: readonly string[] = KEYS) {
    this.keys = keys;
  }

  note(key: string, request: Request, called: number, answer: Answer | undefined): void {
    if (answer === undefined) this.doubtful++;
    else if (answer.told === 'undone') this.refused++;
    else this.answered++;
    // A question that was not answered asks nothing of anyone.
    if (request.does === 'get' && answer?.told !== 'held') return;
    this.exchanges.push({ key, request, called, answered: answer && { at: performance.now(), answer } });
  }

  /** Resolves when so many more operations have been answered. */
  async more(count: number): Promise<void> {
    const [wanted, deadline] = [this.answered + count, performance.now() + 2 * LONGEST_MS];
    while (this.answered < wanted) {
      if (performance.now() > deadline) throw new Error(`only ${this.answered} of ${wanted} operations were answered`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  expectLinearizable(): void {
    for (const key of this.keys) {
      const problem = refuteLinearizability(this.exchanges.filter((one) => one.key === key).map(operationOf));
      if (problem !== undefined) expect.fail(`${key}: ${problem}`);
    }
  }
}

/** One client after another request, for as long as it is told to, on whichever server is there. */
export async function useRegisters(
  whereabouts: Whereabouts,
  recording: Recording,
  seed: number,
  goesOn: () => boolean,
  pauseMs = 0,
): Promise<void> {
  const user = new RegisterUser(recording, seed, pauseMs);
  while (goesOn()) {
    const client = http2Client(await whereabouts());
    await user.work(client, goesOn);
    client.close();
  }
}

/**
 * Writes to every register once more: the last thing that happened to it may have been a deletion, of which nobody was told
 * the revision, so that nobody would know how far a watch has to come.
 */
export async function writeLast(connection: Connection, recording: Recording): Promise<void> {
  const client = http2Client(connection);
  const user = new RegisterUser(recording, LAST_SEED, 0);
  try {
    for (const key of recording.keys) await user.write(client, key);
  } finally {
    client.close();
  }
}

/** Of marks that no other client writes. */
const LAST_SEED = -1;

class RegisterUser {
  readonly #recording: Recording;
  readonly #random: () => number;
  readonly #seed: number;
  readonly #pauseMs: number;
  /** What this client last saw of each register. */
  readonly #seen = new Map<string, { mark: string; version: string }>();
  #marks = 0;

  constructor(recording: Recording, seed: number, pauseMs: number) {
    this.#recording = recording;
    this.#seed = seed;
    this.#pauseMs = pauseMs;
    this.#random = seededRandom(seed);
  }

  /** Returns when the connection fails or there is no more to do. */
  async work(client: Client, goesOn: () => boolean): Promise<void> {
    while (goesOn()) {
      const { keys } = this.#recording;
      const key = keys[Math.floor(this.#random() * keys.length)] ?? '';
      const { answer, told } = await this.#ask(client, key, this.#choose(key));
      if (answer === undefined) return;
      // A server that cannot serve now is not asked again at once.
      const isServing = told !== undefined && told.told !== 'undone';
      const pauseMs = isServing ? this.#pauseMs : Math.max(50, this.#pauseMs);
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      else await settle();
    }
  }

  /** Until it is acknowledged: nobody else writes now. */
  async write(client: Client, key: string): Promise<void> {
    const mark = `${this.#seed}-${this.#marks++}`;
    const { told } = await this.#ask(client, key, { does: 'create', mark });
    if (told?.told === 'done') return;
    const replaced = await this.#ask(client, key, { does: 'replace', mark: `${mark}-again` });
    expect(replaced.told?.told, key).toBe('done');
  }

  async #ask(client: Client, key: string, request: Request) {
    const called = performance.now();
    const answer = await within(LONGEST_MS, this.#send(client, key, request)).catch(() => undefined);
    const told = answer && this.#told(key, request, answer);
    this.#recording.note(key, request, called, told);
    return { answer, told };
  }

  #choose(key: string): Request {
    const roll = this.#random();
    const mark = `${this.#seed}-${this.#marks++}`;
    const seen = this.#seen.get(key);
    if (roll < 0.4) return { does: 'get' };
    if (roll < 0.55) return { does: 'create', mark };
    if (roll < 0.65) return { does: 'delete' };
    return roll < 0.85 && seen ? { does: 'compare', mark, expected: seen.mark } : { does: 'replace', mark };
  }

  #send(client: Client, key: string, request: Request): Promise<HttpAnswer> {
    const path = `${MAPS}/${key}`;
    if (request.does === 'get') return client.request('GET', path);
    if (!('mark' in request)) return client.request('DELETE', path);
    const document = { metadata: { name: key }, data: { mark: request.mark } };
    if (request.does === 'create') return client.request('POST', MAPS, document);
    const version = request.does === 'compare' ? { resourceVersion: this.#seen.get(key)?.version } : {};
    return client.request('PUT', path, { ...document, metadata: { ...document.metadata, ...version } });
  }

  /** Undefined when the answer does not say whether it was done. */
  #told(key: string, request: Request, { status, body }: HttpAnswer): Answer | undefined {
    if (status === 404) return request.does === 'get' ? { told: 'held', held: undefined } : { told: 'refused' };
    const isComparison = request.does === 'create' || request.does === 'compare';
    // Who named no version may be refused for a race inside the server: that says nothing about the register.
    if (status === 409 && isComparison) return { told: 'refused' };
    if (UNDONE.has(status)) return { told: 'undone' };
    if (status !== 200 && status !== 201) return undefined;
    if (request.does === 'delete') return { told: 'done', ...(body.details?.uid && { uid: body.details.uid }) };
    const mark = body.data?.mark ?? '';
    this.#seen.set(key, { mark, version: body.metadata.resourceVersion });
    if (request.does === 'get') return { told: 'held', held: mark };
    const revision = Number(body.metadata.resourceVersion);
    this.#recording.acknowledged.push({ key, mark, revision });
    return { told: 'done', revision };
  }
}

function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer in time')), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

export interface Seen {
  readonly revision: number;
  readonly type: string;
  readonly name: string;
  readonly mark: string | undefined;
  readonly uid: string;
}

/** Follows registers from a revision on, and goes on from where it was when the watch breaks, on whichever server is there. */
export class Follower {
  readonly #whereabouts: Whereabouts;
  readonly #take: (event: Seen) => void;
  readonly #selection: string;
  #position: number;
  #stopped = false;
  #watch: Watch | undefined;
  #lost: string | undefined;
  readonly #following: Promise<void>;

  /** `name`: of the one register to follow, instead of all. */
  constructor(whereabouts: Whereabouts, after: number, take: (event: Seen) => void, name?: string) {
    this.#whereabouts = whereabouts;
    this.#position = after;
    this.#take = take;
    this.#selection = name === undefined ? '' : `&fieldSelector=metadata.name%3D${name}`;
    this.#following = this.#follow();
  }

  /** Waits until a version has come, then stops. */
  async finish(revision: number): Promise<void> {
    const deadline = performance.now() + 2 * LONGEST_MS;
    while (this.#position < revision && this.#lost === undefined && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    this.#stopped = true;
    this.#watch?.close();
    await this.#following;
    expect(this.#lost).toBeUndefined();
    expect(this.#position).toBeGreaterThanOrEqual(revision);
  }

  async #follow(): Promise<void> {
    while (!this.#stopped && this.#lost === undefined) {
      const connection = await this.#whereabouts();
      const path = `${MAPS}?watch=true&resourceVersion=${this.#position}${this.#selection}`;
      try {
        this.#watch = await openWatch(connection, path);
        while (!this.#stopped) this.#note(await this.#watch.next());
      } catch (error) {
        // A history that is gone is lost to this watch; everything else passes.
        if (error instanceof Error && error.message.includes('"Expired"')) this.#lost = error.message;
        this.#watch?.close();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  #note({ type, object }: Awaited<ReturnType<Watch['next']>>): void {
    if (type === 'ERROR') throw new Error(JSON.stringify(object));
    const { name, uid, resourceVersion } = object.metadata;
    this.#position = Number(resourceVersion);
    this.#take({ revision: this.#position, type, name, mark: object.data?.mark, uid });
  }
}

/** A watch missed nothing that was acknowledged, and told everything once and in order. */
export function expectComplete(events: readonly Seen[], { acknowledged }: Recording): void {
  const revisions = events.map(({ revision }) => revision);
  expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
  const seen = new Map(events.map((event) => [event.revision, event]));
  const missed = acknowledged.filter(({ key, mark, revision }) => {
    const event = seen.get(revision);
    return event?.name !== key || event.mark !== mark || event.type === 'DELETED';
  });
  expect(missed).toEqual([]);
}
