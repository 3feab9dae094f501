import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Progress } from './progress.ts';

function terminal(isTTY: boolean, columns = 80) {
  const out = Object.assign(new PassThrough(), { isTTY, columns });
  const err = Object.assign(new PassThrough(), { isTTY });
  let now = 0;
  const io = {
    stdin: new PassThrough(),
    stdout: out,
    stderr: err,
    env: {},
    cwd: '/',
    home: '/',
    interrupted: new AbortController().signal,
  };
  return {
    progress: (total?: number) =>
      new Progress({ io, now: () => now, what: 'applying', ...(total === undefined ? {} : { total }) }),
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    shown: () => String(err.read() ?? ''),
  };
}

describe('progress', () => {
  it('is a line that is drawn over itself, and taken away', async () => {
    const { progress, pass, shown } = terminal(true);
    const line = progress(4);
    await line.step('a');
    expect(shown()).toBe('\r\x1b[Kapplying [██████░░░░░░░░░░░░░░░░░░] 1/4 a');
    pass(200);
    await line.step('b');
    expect(shown()).toContain('2/4 b');
    await line.clear();
    expect(shown()).toBe('\r\x1b[K');
    await line.clear();
    expect(shown()).toBe('');
  });

  it('is drawn no more often than eyes follow', async () => {
    const { progress, shown } = terminal(true);
    const line = progress();
    for (let count = 0; count < 100; count++) await line.step();
    expect(shown()).toBe('\r\x1b[Kapplying 1');
  });

  it('does not break into a second line', async () => {
    const { progress, shown } = terminal(true, 20);
    await progress().note('a name that is far too long for it');
    expect(shown()).toBe('\r\x1b[Kapplying 0 a name …');
  });

  it('is not there without a terminal', async () => {
    const { progress, shown } = terminal(false);
    const line = progress(4);
    await line.step();
    await line.clear();
    expect(shown()).toBe('');
  });
});
