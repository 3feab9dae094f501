import { describe, expect, it } from 'vitest';
import { systemRuntime } from '../../runtime/runtime.ts';
import type { Fetched } from './backend-client.ts';
import { LastAnswers } from './last-answers.ts';
import type { RemoteVersion } from './remote-version.ts';

const remote = (name: string, isAvailable = true): RemoteVersion => ({
  ...{ name, group: name, version: 'v1', host: name, trust: {}, backend: name, isAvailable },
  service: { namespace: 'n', name, port: 443 },
});

/** Answers that a test gives one by one. */
function setUp() {
  let now = 0;
  const asked: { name: string; etag: string; answer(body: string, status?: number): void; fail(): void }[] = [];
  const answers = new LastAnswers<string>({
    name: 'test-answers',
    capacity: 1 << 20,
    runtime: { ...systemRuntime, monotonic: () => now },
    keyOf: ({ name }) => name,
    ask: ({ name }, etag) =>
      new Promise<Fetched>((resolve, reject) => {
        asked.push({
          name,
          etag,
          answer: (body, status = 200) => resolve({ status, body: Buffer.from(body), etag: `"${body}"` }),
          fail: () => reject(new Error('no answer')),
        });
      }),
    read: ({ body }) => ({ value: body.toString(), bytes: body.length }),
    onError() {},
  });
  return { answers, asked, pass: (milliseconds: number) => (now += milliseconds) };
}

describe('what other servers answered last', () => {
  it('is waited for once, by all who want to know, side by side', async () => {
    const { answers, asked } = setUp();
    const all = [remote('a'), remote('b')];
    const [first, second] = [answers.refresh(all), answers.refresh(all)];
    expect(asked.map(({ name }) => name)).toEqual(['a', 'b']);
    asked[1]?.answer('B');
    asked[0]?.fail();
    await Promise.all([first, second]);
    expect(all.map((one) => answers.of(one))).toEqual([
      { value: undefined, isCurrent: false },
      { value: 'B', isCurrent: true },
    ]);
    expect(answers.refresh(all)).toBeUndefined();
    expect(asked).toHaveLength(2);
  });

  it('is found out again beside, by its tag, and stays when there is no answer', async () => {
    const { answers, asked, pass } = setUp();
    const a = remote('a');
    const waiting = answers.refresh([a]);
    asked[0]?.answer('one');
    await waiting;
    pass(30_000);
    expect(answers.refresh([a])).toBeUndefined();
    expect(asked[1]?.etag).toBe('"one"');
    const { revision } = answers;
    asked[1]?.answer('', 304);
    await expect.poll(() => answers.of(a)).toEqual({ value: 'one', isCurrent: true });
    expect(answers.revision).toBe(revision);
    pass(30_000);
    answers.refresh([a]);
    asked[2]?.fail();
    await expect.poll(() => answers.of(a)).toEqual({ value: 'one', isCurrent: false });
    expect(answers.revision).toBeGreaterThan(revision);
  });

  it('is not current of one that is not available, which is asked at once when it is back, and forgotten of one that is gone', async () => {
    const { answers, asked } = setUp();
    const waiting = answers.refresh([remote('a')]);
    asked[0]?.answer('one');
    await waiting;
    expect(answers.refresh([remote('a', false)])).toBeUndefined();
    expect(answers.of(remote('a', false))).toEqual({ value: 'one', isCurrent: false });
    expect(asked).toHaveLength(1);
    answers.refresh([remote('a')]);
    expect(asked).toHaveLength(2);
    answers.refresh([]);
    expect(answers.of(remote('a'))).toEqual({ value: undefined, isCurrent: false });
  });
});
