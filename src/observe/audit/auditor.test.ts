import { expect, it } from 'vitest';
import { userNamed } from '../../api/user.ts';
import { contextFor } from '../../handlers/test-context.ts';
import { type BodyStream, type ByteSink, isStream, type Reply } from '../../http/message.ts';
import { PartReader } from '../../http/parts.ts';
import { RequestContext } from '../../request/context.ts';
import { ManualRuntime } from '../../storage/manual-runtime.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { Auditor } from './auditor.ts';
import type { AuditEvent } from './event.ts';
import type { Level } from './levels.ts';

const REPLY: Reply = {
  status: 500,
  headers: ['Content-Type', 'application/json'],
  body: Buffer.from('{}'),
  outcome: {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'InternalError',
    message: 'see 42',
    code: 500,
  },
};

function audited(level: Level) {
  const events: AuditEvent[] = [];
  const runtime = new ManualRuntime();
  const auditor = new Auditor({
    treatmentOf: () => ({ level, omitted: new Set(['RequestReceived']), omitManagedFields: false }),
    backend: { waits: false, record: (event) => void events.push(event), close: async () => {} },
    responses: { protobuf: '', schemaOf: () => undefined },
    counters: { judged() {}, sent() {}, rejected() {} },
    runtime,
    vocabulary: vocabularies.platform,
  });
  const context = new RequestContext(contextFor('GET', '/api/v1/pods').request, 'test', runtime.monotonic());
  context.user = userNamed('alice', []);
  return { auditor, context, events };
}

it('a defect of the server is an event of its own sort', () => {
  const { auditor, context, events } = audited('Metadata');
  auditor.identified(context);
  auditor.failed(context);
  expect(auditor.ended(context, REPLY)).toBe(REPLY);
  expect(events.map(({ fields }) => [fields.stage, fields.responseStatus])).toEqual([
    ['Panic', { metadata: {}, status: 'Failure', message: 'see 42', reason: 'InternalError', code: 500 }],
  ]);
});

it.each([
  ['Metadata', { 'a.example/b': '1' }],
  ['Request', { 'a.example/b': '1', 'c.example/d': '2' }],
] as const)('at level %s annotations are kept that are meant for it, once, under a domain', (level, expected) => {
  const { auditor, context, events } = audited(level);
  auditor.identified(context);
  context.annotate('a.example/b', '1');
  context.annotate('a.example/b', 'again');
  context.annotate('c.example/d', '2', 'Request');
  for (const key of ['no-domain', '/x', 'a/b/c', '__proto__']) context.annotate(key, 'x');
  auditor.ended(context, REPLY);
  expect(events[0]?.fields.annotations).toEqual(expected);
});

it('nothing is kept of a request that is not recorded', () => {
  const { auditor, context, events } = audited('None');
  auditor.identified(context);
  expect(context.record).toBeUndefined();
  expect(auditor.ended(context, REPLY)).toBe(REPLY);
  expect(events).toEqual([]);
});

it.each([
  ['RequestResponse', true],
  ['Metadata', false],
] as const)('at level %s a body that is made on the way is sent whole, and kept: %s', async (level, kept) => {
  const { auditor, context, events } = audited(level);
  const text = Buffer.from('{"kind":"PodList"}');
  auditor.identified(context);
  const { body } = await auditor.ended(context, { ...REPLY, body: new PartReader([text]) });
  const sent = Buffer.isBuffer(body) ? body : 'next' in body && body.next(Buffer.alloc(100));
  expect(sent.toString()).toBe(text.toString());
  expect(events.some(({ text: event }) => event.includes('PodList'))).toBe(kept);
});

it('of an answer that is sent bit by bit all is kept, or nothing and a word about it', () => {
  const sizes = [1, 17].map((megabytes) => {
    const { auditor, context, events } = audited('RequestResponse');
    const piece = Buffer.from(`{"kind":"X","text":"${'x'.repeat(megabytes * 1024 * 1024)}`);
    let sink: ByteSink | undefined;
    const body: BodyStream = {
      start: (given) => {
        sink = given;
      },
      onDrain() {},
      onClose() {},
      onShutdown() {},
    };
    auditor.identified(context);
    const reply = auditor.ended(context, { status: 200, headers: REPLY.headers, body });
    if (reply instanceof Promise || !isStream(reply.body)) throw new Error('a stream is expected at once');
    const sent: Buffer[] = [];
    reply.body.start({ write: (bytes) => sent.push(bytes) > 0, buffered: 0, end() {}, abort() {} });
    sink?.write(piece);
    sink?.write(Buffer.from('"}'));
    reply.body.onClose();
    expect(Buffer.concat(sent).length).toBe(piece.length + 2);
    const { bodies, fields } = events[0] ?? {};
    return [bodies?.responseObject?.length, fields?.annotations];
  });
  expect(sizes).toEqual([
    [1024 * 1024 + 22, undefined],
    [undefined, { 'audit.platform.io/truncated': 'true' }],
  ]);
});
