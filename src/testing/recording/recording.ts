import { writeFile } from 'node:fs/promises';
import { headerValue } from '../../http/headers.ts';
import { isStream, type Reply } from '../../http/message.ts';
import type { RequestContext } from '../../request/context.ts';
import { disturbanceOf } from '../chaos/disturbance.ts';
import { CHAOS_AGENT } from '../chaos/stale-reads.ts';
import type { InterceptedRequest, RequestFilter } from '../interception.ts';
import type { PlaneUnderTest } from '../plane-under-test.ts';
import { mediaTypeOf, withBody } from './bodies.ts';
import { EventTap } from './event-tap.ts';
import { holdsSecrets, withoutSecrets } from './hidden-values.ts';
import { changeLine, LastSeen, placeOf, type SeenObject } from './object-changes.ts';
import type { Recorded, RecordedBody, RecordedExchange, RecordingEnd, RecordingHeader } from './recorded.ts';
import { storyLine } from './story.ts';

/** Of whom is recorded, and how much. */
export interface RecordingOptions extends RequestFilter {
  /** More is not kept, and the recording says how much that was. 16 MiB unless told. */
  readonly limitBytes?: number | undefined;
}

const LIMIT_BYTES = 16 * 2 ** 20;
/** A body that is longer is left out, and said to be. */
const LONGEST_BODY = 2 ** 20;
const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);

/**
 * Every request of a plane and every event of its watches, from its beginning until it is disposed of or full. Secrets are
 * never part of it. The beginning is what is kept: a recording without it could not be played again.
 */
export class Recording implements Disposable {
  readonly #plane: PlaneUnderTest;
  readonly #limitBytes: number;
  readonly #began: number;
  readonly #header: RecordingHeader;
  readonly #lines: string[] = [];
  readonly #seen = new LastSeen();
  /** What each client has been told by watches; apart, since it comes later than what was written. */
  readonly #told = new LastSeen();
  readonly #hooks: Disposable;
  #bytes = 0;
  #dropped = 0;

  constructor(plane: PlaneUnderTest, { limitBytes = LIMIT_BYTES, ...filter }: RecordingOptions = {}) {
    if (!(limitBytes > 0)) throw new RangeError(`a recording takes some bytes, not ${limitBytes}`);
    this.#plane = plane;
    this.#limitBytes = limitBytes;
    this.#began = plane.runtime.monotonic();
    const began = new Date(plane.runtime.now()).toISOString();
    this.#header = { format: 'platform-recording/1', vocabulary: plane.client.vocabulary.name, began };
    this.#hooks = plane.intercept(filter, {
      answer: (request, reply, context) =>
        request.agent === CHAOS_AGENT ? reply : this.#answered(request, reply, context),
    });
  }

  /** How many requests and events had no room. */
  get dropped(): number {
    return this.#dropped;
  }

  /** What was recorded, in the order in which answers were sent. */
  get entries(): readonly Recorded[] {
    return this.#lines.map((line) => JSON.parse(line) as Recorded);
  }

  /** A line for each request and event: who did what, how it ended, what changed. */
  story(): string {
    const lines = this.entries.map(storyLine);
    if (this.#dropped > 0) lines.push(`… and ${this.#dropped} more, beyond ${this.#limitBytes} bytes`);
    return lines.map((line) => `${line}\n`).join('');
  }

  /** The recording as JSON lines, as `platform-apiserver replay` reads them. */
  text(): string {
    const end: RecordingEnd = { type: 'dropped', entries: this.#dropped, limitBytes: this.#limitBytes };
    const lines = [JSON.stringify(this.#header), ...this.#lines, ...(this.#dropped > 0 ? [JSON.stringify(end)] : [])];
    return lines.map((line) => `${line}\n`).join('');
  }

  async writeTo(file: string): Promise<void> {
    await writeFile(file, this.text(), { mode: 0o600 });
  }

  [Symbol.dispose](): void {
    this.#hooks[Symbol.dispose]();
  }

  async #answered(request: InterceptedRequest, reply: Reply, context: RequestContext): Promise<Reply> {
    if (request.verb === 'watch' && isStream(reply.body)) {
      this.#add(this.#exchange(request, reply, context, undefined, undefined));
      const tap = new EventTap(reply.body, mediaTypeOf(reply), (type, object, size) =>
        this.#event(request, type, object, size),
      );
      return { ...reply, body: tap };
    }
    const sent = await sentBody(context);
    const { reply: whole, body } = withBody(reply, LONGEST_BODY);
    this.#add(this.#exchange(request, whole, context, sent, body));
    return whole;
  }

  #exchange(
    request: InterceptedRequest,
    reply: Reply,
    context: RequestContext,
    sent: Buffer | undefined,
    body: Buffer | undefined,
  ): RecordedExchange {
    const { client, agent, background, verb, kind, resource, method, target } = request;
    const read = (bytes: Buffer | undefined): RecordedBody | undefined => recordedBody(bytes, request);
    const answer = read(body);
    const disturbed = disturbanceOf(request);
    const change =
      disturbed && !disturbed.isDone ? '' : this.#changeIn(request, reply.status, answer, body?.length ?? 0);
    const given = read(sent);
    return {
      at: this.#now(),
      type: 'exchange',
      client,
      groups: context.user?.groups ?? [],
      agent,
      background,
      verb,
      kind: kind || resource,
      object: nameOf(request, answer),
      method,
      target,
      contentType: headerValue(context.request, 'content-type') ?? '',
      accept: headerValue(context.request, 'accept') ?? '',
      ...(given && { body: given }),
      status: disturbed?.fault === 'disconnect' && verb !== 'watch' ? 0 : reply.status,
      ...(answer && { answer }),
      ...(reply.status >= 400 && { reason: reasonIn(answer) }),
      ...(change !== '' && { change }),
      ...(disturbed && { disturbed }),
    };
  }

  #changeIn({ verb, subresource }: InterceptedRequest, status: number, answer: RecordedBody | undefined, size: number) {
    if (status >= 300 || !WRITES.has(verb) || subresource === 'token' || !answer || !('json' in answer)) return '';
    const object = answer.json as SeenObject;
    if (object.kind === 'Status' || !object.metadata?.name) return '';
    return changeLine(this.#seen.change(object, size));
  }

  #event(
    { client, kind, resource }: InterceptedRequest,
    event: string,
    shown: SeenObject | undefined,
    size: number,
  ): void {
    const object = shown && resource === 'secrets' ? (withoutSecrets(shown as never) as SeenObject) : shown;
    const { name = '', namespace = '', resourceVersion = '' } = object?.metadata ?? {};
    const isObject = object !== undefined && event !== 'BOOKMARK' && event !== 'ERROR';
    const change = isObject ? changeLine(this.#told.change(object, size)) : '';
    this.#add({
      at: this.#now(),
      type: 'event',
      client,
      event,
      kind,
      object: namespace === '' ? name : `${namespace}/${name}`,
      resourceVersion,
      ...(change !== '' && { change }),
    });
  }

  #add(entry: Recorded): void {
    const line = JSON.stringify(entry);
    // Once something is missing, what follows would tell a wrong story.
    if (this.#dropped > 0 || this.#bytes + line.length > this.#limitBytes) {
      this.#dropped++;
      return;
    }
    this.#bytes += line.length;
    this.#lines.push(line);
  }

  #now(): number {
    return Math.round((this.#plane.runtime.monotonic() - this.#began) * 1000) / 1000;
  }
}

/** What was sent. Of a request that was refused at once nobody has read it yet; what cannot be read is left out. */
async function sentBody(context: RequestContext): Promise<Buffer | undefined> {
  if (!context.request.hasBody) return undefined;
  return context.readBody(LONGEST_BODY).catch(() => undefined);
}

function recordedBody(
  bytes: Buffer | undefined,
  { resource, subresource }: InterceptedRequest,
): RecordedBody | undefined {
  if (bytes === undefined || bytes.length === 0) return undefined;
  if (bytes.length > LONGEST_BODY) return { leftOut: `${bytes.length} bytes` };
  const isSecret = holdsSecrets(resource, subresource);
  try {
    const json: unknown = JSON.parse(bytes.toString());
    return { json: isSecret ? withoutSecrets(json as never) : json };
  } catch {
    // Not JSON: YAML or protobuf, in which nobody looks for secrets.
    return isSecret ? { leftOut: 'may hold secrets' } : { base64: bytes.toString('base64') };
  }
}

/** Of what is created the answer says the name. */
function nameOf({ resource, namespace, name }: InterceptedRequest, answer: RecordedBody | undefined): string {
  const made = answer && 'json' in answer ? (answer.json as SeenObject).metadata?.name : undefined;
  const known = name === '' ? (made ?? '') : name;
  return known === '' ? namespace : placeOf(resource, namespace, known);
}

function reasonIn(answer: RecordedBody | undefined): string {
  const status = answer && 'json' in answer ? (answer.json as { reason?: string; message?: string }) : {};
  return [status.reason, status.message].filter(Boolean).join(': ');
}
