import { expect, it } from 'vitest';
import { beginOrEnd, Closing } from './closing.ts';

it('what began last ends first, each once, and one after the other', async () => {
  const closing = new Closing();
  const ended: string[] = [];
  closing.add(() => void ended.push('first'));
  closing.add(async () => {
    await Promise.resolve();
    ended.push('second');
  });
  await Promise.all([closing.run(), closing.run()]);
  expect(ended).toEqual(['second', 'first']);
});

it('what cannot be ended keeps nothing else from ending', async () => {
  const closing = new Closing();
  const ended: string[] = [];
  closing.add(() => void ended.push('first'));
  closing.add(() => Promise.reject(new Error('stuck')));
  await expect(closing.run()).rejects.toThrow('stuck');
  expect(ended).toEqual(['first']);
});

it('what has begun ends when the rest cannot begin, and the reason is told, not what goes wrong then', async () => {
  const ended: string[] = [];
  const beginning = beginOrEnd(async (closing) => {
    closing.add(() => void ended.push('first'));
    closing.add(() => Promise.reject(new Error('stuck')));
    throw new Error('no second');
  });
  await expect(beginning).rejects.toThrow('no second');
  expect(ended).toEqual(['first']);
});
