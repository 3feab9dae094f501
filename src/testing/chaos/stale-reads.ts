import { notFound } from '../../api/errors.ts';
import { statusOf } from '../../codec/status.ts';
import { discard } from '../../http/exchange.ts';
import { isStream, type Reply } from '../../http/message.ts';
import { fieldText } from '../../selectors/field-text.ts';
import type { Server } from '../../server/server.ts';
import type { InterceptedRequest } from '../interception.ts';
import { mediaTypeOf } from '../recording/bodies.ts';

/** Requests of chaos itself, which nothing disturbs and nobody records. */
export const CHAOS_AGENT = 'test-plane-chaos';

/** So many clients are told apart; of others a stale read never goes back at all. */
const MOST_CLIENTS = 10_000;

/** Reads as of an earlier version, which the version log of the plane still has. */
export class StaleReads {
  readonly #server: Server;
  /** The version of the plane when a client was last told anything. Its own view is not newer. */
  readonly #seen = new Map<string, number>();

  constructor(server: Server) {
    this.#server = server;
  }

  /** The client knows now what the plane holds. */
  saw({ client, agent }: InterceptedRequest): void {
    const key = `${client} ${agent}`;
    if (this.#seen.has(key) || this.#seen.size < MOST_CLIENTS) this.#seen.set(key, this.#server.objects.revision);
  }

  /** Whether a real plane may answer with an older state: the client takes any version. */
  static mayBeStale({ verb, target, subresource }: InterceptedRequest): boolean {
    if ((verb !== 'get' && verb !== 'list') || subresource !== '') return false;
    const query = new URL(target, 'https://plane').searchParams;
    return query.get('resourceVersion') === '0' && !query.has('resourceVersionMatch') && !query.has('continue');
  }

  /** How many versions back a read may go. */
  room({ client, agent }: InterceptedRequest, versions: number, olderThanSeen: boolean): number {
    const now = this.#server.objects.revision;
    const seen = this.#seen.get(`${client} ${agent}`) ?? (this.#seen.size < MOST_CLIENTS ? 0 : now);
    return Math.max(0, Math.min(versions, now - 1, olderThanSeen ? now - 1 : now - seen));
  }

  /** What the answer would have been so many versions ago; the same one where that cannot be known any more. */
  async answer(request: InterceptedRequest, reply: Reply, accept: string, back: number): Promise<Reply> {
    const readsOne = request.verb === 'get';
    if (back === 0 || (reply.status !== 200 && !(readsOne && reply.status === 404))) return reply;
    if (isStream(reply.body) || !mediaTypeOf(reply).startsWith('application/json')) return reply;
    const url = new URL(request.target, 'https://plane');
    url.searchParams.set('resourceVersion', String(this.#server.objects.revision - back));
    url.searchParams.set('resourceVersionMatch', 'Exact');
    if (readsOne) {
      url.pathname = url.pathname.slice(0, url.pathname.lastIndexOf('/'));
      url.searchParams.set('fieldSelector', fieldText({ 'metadata.name': request.name }));
    }
    const headers = { accept: readsOne ? 'application/json' : accept, 'user-agent': CHAOS_AGENT };
    const then = await this.#server.inject({ target: `${url.pathname}${url.search}`, headers, as: 'admin' });
    if (then.status !== 200) return reply;
    discard(reply.body);
    return readsOne ? ofOne(request, reply, then.body) : { ...reply, body: then.body };
  }
}

/** The object in a list of at most one, as an answer of its own. */
function ofOne({ group, resource, name }: InterceptedRequest, reply: Reply, list: Buffer): Reply {
  const { apiVersion, kind, items } = JSON.parse(list.toString()) as {
    apiVersion: string;
    kind: string;
    items: readonly object[];
  };
  const [item] = items;
  if (item) {
    const object = { kind: kind.slice(0, -'List'.length), apiVersion, ...item };
    return { status: 200, headers: reply.headers, body: Buffer.from(JSON.stringify(object)) };
  }
  const status = statusOf(notFound({ group, resource }, name));
  return { status: 404, headers: reply.headers, body: Buffer.from(JSON.stringify(status)), outcome: status };
}
