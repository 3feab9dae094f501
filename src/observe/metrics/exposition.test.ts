import { expect, it } from 'vitest';
import { ManualRuntime } from '../../storage/manual-runtime.ts';
import { expose, type ServedMetric } from './exposition.ts';

const textOf = async (...metrics: ServedMetric[]): Promise<string> =>
  String(Buffer.concat((await expose(metrics, new ManualRuntime())).parts));

it('is written as collectors read it, whatever labels hold', async () => {
  const labels = { a: 'x', b: '"\\\n' };
  const readings = [
    { suffix: '', labels: {}, value: 0.1 },
    { suffix: '_sum', labels, value: Number.NaN },
    undefined,
    { suffix: '_bucket', labels, place: ['le', '+Inf'] as const, value: 1 },
    { suffix: '_bucket', labels: {}, place: ['le', '+Inf'] as const, value: Number.POSITIVE_INFINITY },
    { suffix: '', labels: {}, value: Number.NEGATIVE_INFINITY },
  ];
  expect(await textOf({ name: 'm', type: 'gauge', help: 'One \\ two\nthree "four".', readings })).toBe(
    [
      '# HELP m One \\\\ two\\nthree "four".',
      '# TYPE m gauge',
      'm 0.1',
      'm_sum{a="x",b="\\"\\\\\\n"} NaN',
      'm_bucket{a="x",b="\\"\\\\\\n",le="+Inf"} 1',
      'm_bucket{le="+Inf"} +Inf',
      'm -Inf',
      '',
    ].join('\n'),
  );
});

it('is written in steps, between which others have their turn', async () => {
  const runtime = new ManualRuntime();
  let taken = 0;
  function* readings() {
    for (let i = 0; i < 100; i++) {
      taken++;
      runtime.advance(1);
      yield { suffix: '', labels: { i: String(i) }, value: i };
    }
  }
  const exposed = expose([{ name: 'm', type: 'gauge', help: 'Many.', readings: readings() }], runtime);
  const seen: number[] = [];
  let isDone = false;
  void exposed.then(() => {
    isDone = true;
  });
  for (let turn = 0; !isDone && turn < 200; turn++) {
    if (seen.at(-1) !== taken) seen.push(taken);
    await new Promise(setImmediate);
  }
  expect(seen.length).toBeGreaterThan(15);
  expect(String(Buffer.concat((await exposed).parts)).split('\n')).toHaveLength(103);
});
