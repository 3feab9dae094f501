import { conflict, expired, internalBecause, MODIFIED_MEANWHILE, tooManyRequests } from '../../api/errors.ts';
import { discard } from '../../http/exchange.ts';
import { headerValue } from '../../http/headers.ts';
import { isStream, type Reply } from '../../http/message.ts';
import type { RequestContext } from '../../request/context.ts';
import { sleep } from '../../runtime/runtime.ts';
import { brokenOff, type InterceptedRequest, type RequestHooks } from '../interception.ts';
import type { PlaneUnderTest } from '../plane-under-test.ts';
import { mediaTypeOf } from '../recording/bodies.ts';
import { placeOf } from '../recording/object-changes.ts';
import { BrokenWatch } from './broken-watch.ts';
import { Decisions, type Draw } from './decisions.ts';
import { disturb, disturbanceOf } from './disturbance.ts';
import { boundsOf, type ChaosOptions, type Fault, FaultTable } from './faults.ts';
import { CHAOS_AGENT, StaleReads } from './stale-reads.ts';
import { failedWebhook } from './webhooks-down.ts';

const SEEDS = 2 ** 31;
const LATENCY_MS = 50;
const STALE_VERSIONS = 20;
/** A watch that is broken off has told of fewer events than these. */
const EVENTS_BEFORE_BREAK = 4;
/** So many faults are remembered to be told of. */
const MOST_TOLD = 10_000;
const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

const running = new WeakMap<PlaneUnderTest, Set<Chaos>>();

/** `chaos seed 7`, of everything that disturbs a plane at the moment; '' when nothing does. For messages of failures. */
export const seedsOf = (plane: PlaneUnderTest): string =>
  [...(running.get(plane) ?? [])].map(({ seed }) => `chaos seed ${seed}`).join(', ');

/** Deals out the errors and delays of a real plane, decided by a seed, until it is disposed of. */
export class Chaos implements Disposable {
  readonly seed: number;
  readonly #plane: PlaneUnderTest;
  readonly #options: ChaosOptions;
  readonly #decisions: Decisions;
  readonly #faults: FaultTable;
  readonly #stale: StaleReads;
  readonly #draws = new WeakMap<InterceptedRequest, Draw>();
  readonly #hooks: Disposable;
  #dealt: string[] = [];
  #untold = 0;

  constructor(plane: PlaneUnderTest, options: ChaosOptions) {
    this.#plane = plane;
    this.#options = options;
    this.seed = seedOf(plane, options);
    this.#decisions = new Decisions(this.seed);
    this.#faults = new FaultTable(options);
    this.#stale = new StaleReads(plane.server);
    this.#hooks = plane.intercept(options, this.#hooksOnRequests());
    const others = running.get(plane) ?? new Set();
    running.set(plane, others.add(this));
    options.onTestFailed?.(() => process.stderr.write(`chaos seed ${this.seed}\n`));
  }

  /** What was dealt, a line each: `conflict: alice update ConfigMap default/a`. */
  get dealt(): readonly string[] {
    return this.#untold === 0 ? this.#dealt : [...this.#dealt, `and ${this.#untold} more`];
  }

  [Symbol.dispose](): void {
    this.#hooks[Symbol.dispose]();
    running.get(this.#plane)?.delete(this);
  }

  #hooksOnRequests(): RequestHooks {
    return {
      before: async (request, context) => {
        if (request.agent !== CHAOS_AGENT) await this.#before(request, context);
      },
      answer: (request, reply, context) => {
        const draw = this.#draws.get(request);
        return draw ? this.#answer(request, reply, context, draw) : reply;
      },
    };
  }

  async #before(request: InterceptedRequest, context: RequestContext): Promise<void> {
    const draw = this.#decisions.next(request);
    this.#draws.set(request, draw);
    if (this.#strikes('latency', request, draw)) await this.#delay(draw);
    if (this.#strikes('tooMany', request, draw)) {
      const { retryAfterSeconds = 1 } = boundsOf(this.#options.tooMany);
      disturb(request, { fault: 'tooMany', isDone: false });
      throw tooManyRequests('too many requests, please try again later', retryAfterSeconds);
    }
    if (request.verb !== 'watch' && this.#breaksOff(draw) === 'before' && this.#strikes('disconnect', request, draw)) {
      disturb(request, { fault: 'disconnect', isDone: false });
      throw internalBecause('chaos has broken the connection off');
    }
    await this.#refuse(request, context, draw);
  }

  /** Refusals that only some requests can meet. */
  async #refuse(request: InterceptedRequest, context: RequestContext, draw: Draw): Promise<void> {
    if (canConflict(request, context) && this.#strikes('conflict', request, draw)) {
      disturb(request, { fault: 'conflict', isDone: false });
      throw conflict(request, request.name, MODIFIED_MEANWHILE);
    }
    if (canExpire(request) && this.#strikes('gone', request, draw)) {
      disturb(request, { fault: 'gone', isDone: false });
      throw expired('The resourceVersion for the provided list is too old.');
    }
    if (!WRITES.has(request.verb) || this.#options.webhookDown === undefined) return;
    const { vocabulary } = this.#plane.client;
    const refusal = await failedWebhook(this.#plane.server, vocabulary, request);
    if (!refusal || !this.#strikes('webhookDown', request, draw)) return;
    disturb(request, { fault: 'webhookDown', isDone: false });
    throw refusal;
  }

  async #answer(request: InterceptedRequest, reply: Reply, context: RequestContext, draw: Draw): Promise<Reply> {
    const final = await this.#changed(request, reply, context, draw);
    this.#stale.saw(request);
    return final;
  }

  async #changed(request: InterceptedRequest, reply: Reply, context: RequestContext, draw: Draw): Promise<Reply> {
    if (request.verb === 'watch') return this.#watched(request, reply, draw);
    if (disturbanceOf(request)?.fault === 'disconnect') return replaced(reply);
    // A refusal is an answer that arrives.
    if (disturbanceOf(request)) return reply;
    if (this.#breaksOff(draw) === 'after' && this.#strikes('disconnect', request, draw)) {
      disturb(request, { fault: 'disconnect', isDone: true });
      return replaced(reply);
    }
    if (this.#options.staleRead === undefined || !StaleReads.mayBeStale(request)) return reply;
    const { versions = STALE_VERSIONS, olderThanSeen = false } = boundsOf(this.#options.staleRead);
    const room = this.#stale.room(request, versions, olderThanSeen);
    if (room === 0 || !this.#strikes('staleRead', request, draw)) return reply;
    disturb(request, { fault: 'staleRead', isDone: true });
    const back = 1 + Math.floor(draw.of('versions back') * room);
    return this.#stale.answer(request, reply, headerValue(context.request, 'accept') ?? '', back);
  }

  #watched(request: InterceptedRequest, reply: Reply, draw: Draw): Reply {
    const { body } = reply;
    if (!isStream(body)) return reply;
    const end = (['gone', 'disconnect'] as const).find((fault) => this.#strikes(fault, request, draw));
    if (!end) return reply;
    disturb(request, { fault: end, isDone: true });
    const events = Math.floor(draw.of('events before the break') * EVENTS_BEFORE_BREAK);
    return { ...reply, body: new BrokenWatch(body, mediaTypeOf(reply), end, events) };
  }

  #breaksOff(draw: Draw): 'before' | 'after' {
    const { when = 'either' } = boundsOf(this.#options.disconnect);
    if (when !== 'either') return when;
    return draw.of('before or after') < 0.5 ? 'before' : 'after';
  }

  #delay(draw: Draw): Promise<void> {
    const { min = 0, max = Math.max(min, LATENCY_MS) } = boundsOf(this.#options.latency);
    return sleep(this.#plane.runtime, min + Math.floor(draw.of('milliseconds') * (max - min + 1)));
  }

  #strikes(fault: Fault, request: InterceptedRequest, draw: Draw): boolean {
    if (!this.#faults.strikes(fault, draw.of(fault))) return false;
    const { client, verb, kind, resource, namespace, name } = request;
    const line = `${fault}: ${client} ${verb} ${kind || resource} ${placeOf(resource, namespace, name)}`;
    if (this.#dealt.length < MOST_TOLD) this.#dealt.push(line);
    else this.#untold++;
    return true;
  }
}

/** A real plane refuses so who names a version, or patches while others write. Applying has conflicts of its own. */
const canConflict = ({ verb, name }: InterceptedRequest, { request }: RequestContext): boolean =>
  name !== '' &&
  (verb === 'update' || (verb === 'patch' && !headerValue(request, 'content-type')?.includes('apply-patch')));

/** Only lists of a certain version, or of a further page, can come too late. */
function canExpire({ verb, target }: InterceptedRequest): boolean {
  if (verb !== 'list') return false;
  const query = new URL(target, 'https://plane').searchParams;
  const version = query.get('resourceVersion') ?? '';
  return query.has('continue') || (version !== '' && version !== '0');
}

/** The connection breaks in place of the answer. */
function replaced(reply: Reply): Reply {
  discard(reply.body);
  return brokenOff();
}

function seedOf(plane: PlaneUnderTest, { seed }: ChaosOptions): number {
  const chosen = seed ?? (process.env.CHAOS_SEED ? Number(process.env.CHAOS_SEED) : undefined);
  const drawn = chosen ?? Math.floor(plane.runtime.random() * SEEDS);
  if (!Number.isSafeInteger(drawn)) throw new RangeError(`chaos: a seed is a whole number, not ${drawn}`);
  return drawn;
}
