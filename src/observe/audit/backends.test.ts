import { describe, expect, it } from 'vitest';
import { ManualRuntime } from '../../storage/manual-runtime.ts';
import type { Sink } from './backend.ts';
import { BatchBackend, type BatchOptions } from './batch-backend.ts';
import { BlockingBackend } from './blocking-backend.ts';
import { legacyLine } from './legacy-line.ts';
import { sampleEvent } from './test-event.ts';
import { truncating } from './truncation.ts';

/** A sink that keeps what it is sent, once it is let. */
class SlowSink implements Sink {
  readonly name = 'slow';
  readonly batches: string[][] = [];
  readonly #held: (() => void)[] = [];
  holds = false;
  fails = false;

  async send(events: Parameters<Sink['send']>[0]): Promise<void> {
    this.batches.push(events.map(({ fields }) => fields.auditID));
    if (this.holds) await new Promise<void>((resolve) => this.#held.push(resolve));
    if (this.fails) throw new Error('no space');
  }

  release(): void {
    this.holds = false;
    for (const resolve of this.#held.splice(0)) resolve();
  }

  async close(): Promise<void> {}
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function batched(changes: Partial<BatchOptions>) {
  const sink = new SlowSink();
  const runtime = new ManualRuntime();
  const lost: [string, number][] = [];
  const backend = new BatchBackend({
    sink,
    runtime,
    parallel: 1,
    bufferSize: 10,
    maxSize: 3,
    maxWaitMs: 1000,
    throttle: undefined,
    onLost: (plugin, count) => lost.push([plugin, count]),
    ...changes,
  });
  const record = (...ids: string[]): void => {
    for (const id of ids) backend.record(sampleEvent(id));
  };
  return { sink, runtime, lost, backend, record };
}

describe('a batch', () => {
  it('is sent when it is full, or when its first event has waited long enough', async () => {
    const { sink, runtime, record } = batched({});
    record('a', 'b', 'c', 'd');
    await turn();
    expect(sink.batches).toEqual([['a', 'b', 'c']]);
    runtime.advance(999);
    await turn();
    expect(sink.batches).toHaveLength(1);
    runtime.advance(1);
    await turn();
    expect(sink.batches).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('is lost only in part when the buffer is full, and nobody waits', async () => {
    const { sink, lost, record } = batched({ bufferSize: 4 });
    sink.holds = true;
    record('a', 'b', 'c');
    record('d', 'e', 'f', 'g', 'h', 'i');
    expect(lost).toEqual([
      ['buffered', 1],
      ['buffered', 1],
    ]);
    sink.release();
    await turn();
    await turn();
    expect(sink.batches.slice(0, 2)).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e', 'f'],
    ]);
  });

  it('that cannot be sent is counted as lost', async () => {
    const { sink, lost, record } = batched({});
    sink.fails = true;
    record('a', 'b', 'c');
    await turn();
    expect(lost).toEqual([['slow', 3]]);
  });

  it('waits for its turn when there are many', async () => {
    const { sink, runtime, record } = batched({ maxSize: 1, throttle: { qps: 2, burst: 2 } });
    record('a', 'b', 'c', 'd');
    await turn();
    expect(sink.batches.flat()).toEqual(['a', 'b']);
    for (let step = 0; step < 4; step++) {
      runtime.advance(250);
      await turn();
    }
    expect(sink.batches.flat()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is sent at the end of the server, however small and whatever its rate', async () => {
    const { sink, backend, record } = batched({ throttle: { qps: 1, burst: 1 } });
    record('a', 'b', 'c', 'd', 'e');
    await backend.close();
    expect(sink.batches.flat()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('does not hold up the end of the server for long', async () => {
    const { sink, runtime, lost, backend, record } = batched({});
    sink.holds = true;
    record('a', 'b', 'c', 'd', 'e');
    const closed = backend.close();
    await turn();
    runtime.advance(5_000);
    await closed;
    expect(lost).toEqual([['buffered', 2]]);
  });
});

describe('a request that waits for its event', () => {
  const blocking = (strict: boolean) => {
    const sink = new SlowSink();
    const runtime = new ManualRuntime();
    let lost = 0;
    const backend = new BlockingBackend({ sink, strict, runtime, onLost: () => lost++ });
    return { sink, runtime, backend, lost: () => lost };
  };

  it('goes on when the event is kept', async () => {
    const { backend, sink } = blocking(true);
    expect(await backend.record(sampleEvent('a'))).toBe(true);
    expect(sink.batches).toEqual([['a']]);
  });

  it.each([
    [true, false],
    [false, true],
  ])('without it, strict: %s, goes on: %s', async (strict, goesOn) => {
    const { backend, sink, lost } = blocking(strict);
    sink.fails = true;
    expect(await backend.record(sampleEvent('a'))).toBe(goesOn);
    expect(lost()).toBe(1);
  });

  it('does not wait without end', async () => {
    const { backend, sink, runtime } = blocking(false);
    sink.holds = true;
    const waiting = backend.record(sampleEvent('a'));
    await turn();
    runtime.advance(10_000);
    expect(await waiting).toBe(true);
  });

  it('does not wait at all behind too many others', async () => {
    const { backend, sink, lost } = blocking(true);
    sink.holds = true;
    for (let count = 0; count < 10_000; count++) void backend.record(sampleEvent('a'));
    expect(await backend.record(sampleEvent('b'))).toBe(false);
    expect(lost()).toBe(1);
    sink.release();
  });
});

describe('an event that is too large', () => {
  const plain = sampleEvent('a').bytes;
  const sent: { id: string; text: string }[][] = [];
  const sink: Sink = {
    name: 'log',
    send: async (events) => void sent.push(events.map(({ fields, text }) => ({ id: fields.auditID, text }))),
    close: async () => {},
  };
  const options = {
    maxBatchBytes: 2 * plain + 10,
    maxEventBytes: plain + 60,
    annotation: 'audit.platform.io/truncated',
  };

  it('loses its bodies and says so, is left out if that is not enough, and large batches are sent in parts', async () => {
    let lost = 0;
    const huge = { requestObject: JSON.stringify('x'.repeat(1000)) };
    const tooLong = sampleEvent('c'.repeat(200));
    await truncating(sink, { ...options, onLost: () => lost++ }).send([
      sampleEvent('a', huge),
      tooLong,
      sampleEvent('b'),
      sampleEvent('d'),
    ]);
    expect(lost).toBe(1);
    expect(sent.map((batch) => batch.map(({ id }) => id))).toEqual([['a'], ['b', 'd']]);
    const { annotations, requestObject } = JSON.parse(sent[0]?.[0]?.text ?? '');
    expect(annotations).toEqual({ 'audit.platform.io/truncated': 'true' });
    expect(requestObject).toBeUndefined();
  });
});

it('the older form of a line says who did what in words', () => {
  expect(legacyLine(sampleEvent('a'))).toBe(
    '2022-08-23T10:00:00.000000Z AUDIT: id="a" stage="ResponseComplete" ip="192.0.2.7" method="list" user="alice" ' +
      'groups="\\"dev\\",\\"ops\\"" as="<self>" asgroups="<lookup>" user-agent="" namespace="<none>" ' +
      'uri="/api/v1/namespaces/default/pods" response="200"',
  );
});
