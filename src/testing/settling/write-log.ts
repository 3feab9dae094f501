import type { Reply } from '../../http/message.ts';
import { disturbanceOf } from '../chaos/disturbance.ts';
import { CHAOS_AGENT } from '../chaos/stale-reads.ts';
import type { InterceptedRequest, RequestFilter } from '../interception.ts';
import type { PlaneUnderTest } from '../plane-under-test.ts';
import { withBody } from '../recording/bodies.ts';
import { LastSeen, type ObjectChange, placeOf, type SeenObject } from '../recording/object-changes.ts';

const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
/** What every controller meets and tries again: absent, taken or changed meanwhile, expired, too many. */
const USUAL_REFUSALS: ReadonlySet<number> = new Set([404, 409, 410, 429]);
const LONGEST_BODY = 2 ** 20;
const MOST_WRITERS = 10_000;
const MOST_ERRORS = 20;
const MOST_FIELDS = 100;

/** How often one author has written one object, and which fields. */
export interface Writing {
  /** `alice (program)`. */
  readonly author: string;
  /** `ConfigMap default/a`. */
  readonly object: string;
  readonly times: number;
  /** The field that changed most often; undefined where none did. */
  readonly field: string | undefined;
}

interface Counted {
  readonly author: string;
  readonly object: string;
  times: number;
  readonly fields: Map<string, number>;
}

/** Writes of a plane while somebody waits for their end. Attempts that change nothing count: they are work too. */
export class WriteLog implements Disposable {
  readonly #plane: PlaneUnderTest;
  readonly #hooks: Disposable;
  readonly #underWay = new Set<InterceptedRequest>();
  readonly #seen = new LastSeen();
  readonly #writers = new Map<string, Counted>();
  readonly errors: string[] = [];
  #writes = 0;
  #last: number;

  constructor(plane: PlaneUnderTest, filter: RequestFilter) {
    this.#plane = plane;
    this.#last = plane.runtime.monotonic();
    this.#hooks = plane.intercept(
      { loops: true, ...filter },
      {
        before: (request) => {
          if (WRITES.has(request.verb)) this.#underWay.add(request);
        },
        answer: (request, reply) => this.#answered(request, reply),
      },
    );
  }

  get writes(): number {
    return this.#writes;
  }

  /** Milliseconds of the plane's clock without a write, or with none under way. */
  get quietMs(): number {
    return this.#underWay.size > 0 ? 0 : this.#plane.runtime.monotonic() - this.#last;
  }

  /** The busiest first. */
  get writings(): readonly Writing[] {
    return [...this.#writers.values()]
      .sort((a, b) => b.times - a.times)
      .map(({ fields, ...writing }) => ({ ...writing, field: mostOften(fields) }));
  }

  [Symbol.dispose](): void {
    this.#hooks[Symbol.dispose]();
  }

  #answered(request: InterceptedRequest, reply: Reply): Reply {
    this.#underWay.delete(request);
    if (request.agent === CHAOS_AGENT || disturbanceOf(request)?.isDone === false) return reply;
    if (reply.status >= 400) {
      if (!USUAL_REFUSALS.has(reply.status)) this.#refused(request, reply);
      return reply;
    }
    if (!WRITES.has(request.verb) || request.target.includes('dryRun=')) return reply;
    this.#writes++;
    this.#last = this.#plane.runtime.monotonic();
    const { reply: whole, body } = withBody(reply, LONGEST_BODY);
    this.#count(request, body);
    return whole;
  }

  #refused(request: InterceptedRequest, { status, outcome }: Reply): void {
    if (this.errors.length >= MOST_ERRORS) return;
    const { message = '' } = (outcome ?? {}) as { message?: string };
    const { verb, kind, resource } = request;
    this.errors.push(`${authorOf(request)} ${verb} ${kind || resource} → ${status} ${message}`.trimEnd());
  }

  #count(request: InterceptedRequest, body: Buffer | undefined): void {
    const object = objectIn(body);
    const { namespace, kind, resource } = request;
    const name = request.name || (object?.metadata?.name ?? '');
    const what = `${kind || resource} ${placeOf(resource, namespace, name)}`;
    const author = authorOf(request);
    const key = `${author} ${what}`;
    const counted = this.#writers.get(key) ?? { author, object: what, times: 0, fields: new Map<string, number>() };
    if (!this.#writers.has(key) && this.#writers.size >= MOST_WRITERS) return;
    this.#writers.set(key, counted);
    counted.times++;
    if (object?.metadata?.name) countFields(counted.fields, this.#seen.change(object, body?.length ?? 0));
  }
}

const authorOf = ({ client, agent }: InterceptedRequest): string => `${client} (${agent.split('/', 1)[0]})`;

function objectIn(body: Buffer | undefined): SeenObject | undefined {
  if (body === undefined) return undefined;
  try {
    const object = JSON.parse(body.toString()) as SeenObject;
    return object.kind === 'Status' ? undefined : object;
  } catch {
    // Not JSON: the write counts, and its fields are not known.
    return undefined;
  }
}

function countFields(counts: Map<string, number>, { fields }: ObjectChange): void {
  for (const { field } of fields) {
    if (counts.has(field) || counts.size < MOST_FIELDS) counts.set(field, (counts.get(field) ?? 0) + 1);
  }
}

function mostOften(counts: ReadonlyMap<string, number>): string | undefined {
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first?.[0];
}
