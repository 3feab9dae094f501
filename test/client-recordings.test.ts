import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as library from '../src/client/index.ts';
import { ApiError, type Client, connect, type KindNames, type ObjectsClient } from '../src/client/index.ts';
import { type Runtime, systemRuntime } from '../src/runtime/runtime.ts';
import { type VocabularyName, vocabularies, vocabularyNames } from '../src/vocabulary/vocabulary.ts';
import { type Exchange, type Json, recordedExchanges, recordingsAreHere } from './support/recordings.ts';

/** The client, against what the original server answered: it sends what was sent, and reads what was answered. */

/** What arrived at the server. */
interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly type: string | undefined;
  readonly body: unknown;
}

/** Where a recorded request went. */
interface Place {
  readonly kind: KindNames;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
}

/** A server that answers the next request as an exchange was. */
class RecordedServer {
  readonly #server: Server;
  next: Exchange | undefined;
  arrived: Arrived | undefined;

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const part of request) text += part;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    this.arrived = {
      method: request.method ?? '',
      path: decodeURIComponent(pathname),
      query: Object.fromEntries(searchParams),
      type: request.headers['content-type'],
      body: text === '' ? undefined : JSON.parse(text),
    };
    if (!this.next) throw new Error('no request was expected');
    const { reply, events } = this.next;
    const body =
      events && reply.status < 400 ? events.map((one) => `${JSON.stringify(one)}\n`).join('') : replyText(this.next);
    response.setHeaders(new Headers({ ...reply.headers })).setHeader('warning', [...reply.warnings]);
    response.writeHead(reply.status).end(body);
  }
}

/** Recordings leave out bodies that nobody compares, and what causes say. */
function replyText({ reply: { body, status } }: Exchange): string {
  if (typeof body === 'string') return body;
  const answer = { metadata: {}, ...(body ?? { kind: 'Unrecorded' }) } as Json;
  if (status !== 409 || typeof answer.message !== 'string') return JSON.stringify(answer);
  const { causes = [], ...details } = (answer.details ?? {}) as { causes?: readonly { field?: string }[] };
  const told = causes.map((cause) => ({
    ...cause,
    message: `conflict with ${ownerOf(cause.field ?? '', String(answer.message))}`,
  }));
  return JSON.stringify({ ...answer, details: { ...details, causes: told } });
}

/** Whom the text of a conflict names as the owner of a field: `"one" using v1`. */
const ownerOf = (field: string, message: string): string =>
  message
    .split(/conflicts? with /)
    .slice(1)
    .find((part) => part.split(/\n- |: |\n/).includes(field))
    ?.split(/:(?: |\n)/)[0] ?? '';

const KINDS = Object.values(library).filter(
  (value): value is KindNames => typeof value === 'object' && value !== null && 'plural' in value,
);

/** Does not pause before another attempt, as the original server asks for where a version has yet to come. */
const impatient: Runtime = {
  ...systemRuntime,
  after: (milliseconds, callback) => systemRuntime.after(milliseconds > 5_000 ? milliseconds : 0, callback),
};

/** Undefined for paths that are not those of a built-in kind. */
function placeOf({ method, path }: Exchange, vocabulary: VocabularyName): Place | undefined {
  const core = /^\/api(?<group>)\/(?<version>v1)\/(?<rest>.*)$/.exec(path);
  const {
    group = '',
    version = '',
    rest = '',
  } = (core ?? /^\/apis\/(?<group>[^/]+)\/(?<version>[^/]+)\/(?<rest>.*)$/.exec(path))?.groups ?? {};
  const parts = rest.split('/');
  const isWithin = parts[0] === 'namespaces' && parts.length > 2 && !['status', 'finalize'].includes(parts[2] ?? '');
  const [plural = '', name = '', subresource = '', ...more] = isWithin ? parts.slice(2) : parts;
  const neutral = Object.entries(vocabularies[vocabulary].groups).find(([, spelled]) => spelled === group)?.[0];
  const groups: Readonly<Record<string, string>> = vocabularies.platform.groups;
  const kind = KINDS.find(
    (one) => one.group === (neutral ? groups[neutral] : group) && one.version === version && one.plural === plural,
  );
  if (!kind || more.length > 0) return undefined;
  const namespace = isWithin ? (parts[1] ?? '') : '';
  const isListOfAll = kind.namespaced && namespace === '' && name === '' && method === 'GET';
  if (kind.namespaced !== (namespace !== '') && !isListOfAll) return undefined;
  return { kind, namespace, name, subresource };
}

const PATCHES: Readonly<Record<string, string>> = {
  merge: 'application/merge-patch+json',
  'json-patch': 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const nameIn = (body: unknown): unknown => (isObject(body) && isObject(body.metadata) ? body.metadata.name : undefined);
const isOneOf = (names: Readonly<Record<string, unknown>>, ...known: readonly string[]): boolean =>
  Object.keys(names).every((name) => known.includes(name));

const WRITING = ['fieldManager', 'fieldValidation', 'dryRun'];
const LISTING = ['labelSelector', 'fieldSelector', 'limit', 'continue', 'resourceVersion', 'resourceVersionMatch'];
const WATCHING = [
  'labelSelector',
  'fieldSelector',
  'resourceVersion',
  'timeoutSeconds',
  'allowWatchBookmarks',
  'watch',
];
const DELETING = ['kind', 'apiVersion', 'gracePeriodSeconds', 'propagationPolicy', 'preconditions'];

type Call = (objects: ObjectsClient<library.AnyObject>) => Promise<unknown>;

/** The call that has the request sent; undefined for requests that the typed client does not make. */
function callFor(exchange: Exchange, place: Place): Call | undefined {
  const { method, body, query, type } = exchange;
  const { name, subresource } = place;
  // A client says nothing where there is nothing to say.
  if (typeof body === 'string' || Object.values(query).includes('')) return undefined;
  const { dryRun, force, ...given } = query;
  const isWrite = isOneOf(query, ...WRITING) && (dryRun === undefined || dryRun === 'All') && isObject(body);
  const options = { ...given, ...(dryRun ? { dryRun: true } : {}) } as library.WriteOptions;
  const single = (objects: ObjectsClient<library.AnyObject>) =>
    subresource === '' ? objects : objects.subresource(subresource);
  if (method === 'POST' && isWrite && type === undefined) {
    if (name === '') return (objects) => objects.create(body, options);
    return subresource === '' ? undefined : (objects) => objects.subresource(subresource).create(name, body, options);
  }
  if (method === 'PUT' && isWrite && type === undefined && nameIn(body) === name) {
    return (objects) => single(objects).update(body, options);
  }
  if (method === 'PATCH' && name !== '') return patchFor(exchange, place, options);
  if (method === 'DELETE' && isOneOf(isObject(body) ? body : {}, ...DELETING)) {
    if (subresource !== '' || !isOneOf(query, 'labelSelector', 'fieldSelector')) return undefined;
    const { kind: _kind, apiVersion: _version, ...deletion } = (body ?? {}) as library.DeletionOptions & Json;
    return name === ''
      ? (objects) => objects.deleteCollection({ ...deletion, ...query })
      : (objects) => objects.delete(name, deletion);
  }
  if (method !== 'GET') return undefined;
  if (name !== '')
    return isOneOf(query, 'resourceVersion') && !exchange.events
      ? (objects) => single(objects).get(name, query)
      : undefined;
  return readFor(exchange);
}

function patchFor(
  { body, type = '', query }: Exchange,
  { name, subresource }: Place,
  options: library.WriteOptions,
): Call | undefined {
  if (!isOneOf(query, ...WRITING, ...(type === 'apply' ? ['force'] : [])) || (query.dryRun ?? 'All') !== 'All')
    return undefined;
  const part = (objects: ObjectsClient<library.AnyObject>) =>
    subresource === '' ? objects : objects.subresource(subresource);
  if (type === 'json-patch' && Array.isArray(body))
    return (objects) => part(objects).patch(name, { json: body }, options);
  if (!isObject(body)) return undefined;
  if (type === 'merge') return (objects) => part(objects).patch(name, { merge: body }, options);
  if (type === 'strategic') return (objects) => part(objects).patch(name, { strategic: body }, options);
  // A document that is applied names its object, and somebody applies it.
  if (type !== 'apply' || nameIn(body) !== name || query.fieldManager === undefined) return undefined;
  return (objects) => part(objects).apply(body, { ...options, force: query.force === 'true' });
}

function readFor({ query, events }: Exchange): Call | undefined {
  const { limit, continue: next, allowWatchBookmarks, timeoutSeconds, watch: _, ...others } = query;
  if (events && isOneOf(query, ...WATCHING)) {
    const seconds = timeoutSeconds === undefined ? {} : { timeoutSeconds: Number(timeoutSeconds) };
    const options = { ...others, ...seconds, bookmarks: allowWatchBookmarks === 'true' };
    return async (objects) => {
      const told: unknown[] = [];
      for await (const event of objects.watch(options)) told.push(event);
      return told;
    };
  }
  if (events || !isOneOf(query, ...LISTING) || Number.isNaN(Number(limit ?? 0))) return undefined;
  const options = { ...others, ...(limit ? { limit: Number(limit) } : {}), ...(next ? { next } : {}) };
  return (objects) => objects.list(options as library.ListOptions);
}

/** What the request is, in the words of the exchange, with what the client fills in. */
function expectedOf(
  { method, path, query, type, body, events }: Exchange,
  { kind, name }: Place,
  vocabulary: VocabularyName,
): Arrived {
  const groups: Readonly<Record<string, string>> = vocabularies[vocabulary].groups;
  const key = Object.entries(vocabularies.platform.groups).find(([, group]) => group === kind.group)?.[0];
  const group = key ? groups[key] : kind.group;
  const filled = { apiVersion: group === '' ? kind.version : `${group}/${kind.version}`, kind: kind.kind };
  const isComplete = method === 'POST' || method === 'PUT' || type === 'apply';
  // Options are of any group.
  const deletion = { ...(isObject(body) ? body : {}), kind: 'DeleteOptions', apiVersion: `${groups.meta}/v1` };
  const manager = ['POST', 'PUT', 'PATCH'].includes(method) ? { fieldManager: 'library' } : {};
  const { force, ...rest } = query;
  return {
    method,
    path,
    query: { ...manager, ...rest, ...(force === 'true' ? { force } : {}), ...(events ? { watch: 'true' } : {}) },
    type: method === 'GET' ? undefined : (PATCHES[type ?? ''] ?? 'application/json'),
    body: method === 'DELETE' ? deletion : isComplete && name !== undefined ? { ...filled, ...(body as Json) } : body,
  };
}

describe.skipIf(!recordingsAreHere)('the client and the recorded exchanges of the original server', () => {
  const server = new RecordedServer();
  let url: string;
  beforeAll(async () => {
    url = await server.listen();
  });
  afterAll(() => server.close());

  it.each(vocabularyNames)('agree in the vocabulary %s', async (vocabulary) => {
    const warnings: string[] = [];
    const connection = { server: url, token: 't', insecureSkipTlsVerify: false };
    const onWarning = (text: string): void => void warnings.push(text);
    using client = await connect({ connection, vocabulary, fieldManager: 'library', onWarning, runtime: impatient });
    const played = new Map<string, number>();
    for (const exchange of await recordedExchanges(vocabulary)) {
      const place = placeOf(exchange, vocabulary);
      const call = place && exchange.isPlain ? callFor(exchange, place) : undefined;
      if (!place || !call) continue;
      warnings.length = 0;
      server.next = exchange;
      const outcome = await call(objectsAt(client, place)).catch((error: unknown) => error);
      const what = `${exchange.scenario}: ${exchange.step}`;
      expect(server.arrived, what).toEqual(expectedOf(exchange, place, vocabulary));
      expectOutcome(outcome, exchange, place, what);
      expect(warnings, what).toHaveLength(exchange.reply.warnings.length);
      played.set(exchange.scenario, (played.get(exchange.scenario) ?? 0) + 1);
    }
    expect([...played.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1_000);
    for (const scenario of ['apply-conflicts', 'history-expired', 'pod-subresources', 'watch-basics', 'list-chunks']) {
      expect(played.get(scenario), scenario).toBeGreaterThan(5);
    }
  });
});

/** Kinds are the library's, whose types say nothing here: what was recorded is wrong in many ways. */
function objectsAt(client: Client, { kind, namespace }: Place): ObjectsClient<library.AnyObject> {
  if (!kind.namespaced) return client.of({ ...kind, namespaced: false });
  const all = client.of({ ...kind, namespaced: true });
  return namespace === '' ? (all as unknown as ObjectsClient<library.AnyObject>) : all.inNamespace(namespace);
}

function expectOutcome(outcome: unknown, exchange: Exchange, { name }: Place, what: string): void {
  const { reply, method, type, events } = exchange;
  const body = JSON.parse(typeof reply.body === 'string' ? '{}' : replyText(exchange)) as Json;
  const status = (events?.find((event) => event.type === 'ERROR')?.object ??
    (reply.status >= 400 ? body : undefined)) as Json | undefined;
  if (isObject(outcome) && 'conflicts' in outcome) {
    const { causes } = body.details as { causes: readonly { field: string; message: string }[] };
    const conflicts = outcome.conflicts as readonly library.ApplyConflict[];
    expect(
      conflicts.map(({ field, message }) => ({ field, message })),
      what,
    ).toEqual(causes.map(({ field, message }) => ({ field, message })));
    expect(
      conflicts.map(({ manager }) => manager),
      what,
    ).not.toContain('');
  } else if (status) {
    expect(outcome, what).toBeInstanceOf(ApiError);
    const { code, reason, details, message } = outcome as ApiError;
    expect({ code, details }, what).toEqual({ code: status.code ?? reply.status, details: status.details ?? {} });
    if (status.reason !== undefined) expect(reason, what).toBe(status.reason);
    expect(message.length, what).toBeGreaterThan(0);
  } else if (events) {
    expect(outcome, what).toEqual(events);
  } else if (type === 'apply') {
    expect(outcome, what).toEqual({ applied: body });
  } else if (method === 'DELETE') {
    expect(outcome, what).toEqual(body.kind === 'Status' || name === '' ? undefined : body);
  } else if (isObject(outcome) && 'items' in outcome && 'next' in outcome) {
    expect(outcome.items, what).toHaveLength((body.items as unknown[] | undefined)?.length ?? 0);
  } else {
    expect(outcome, what).toEqual(body);
  }
}
