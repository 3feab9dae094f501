import { expect, it } from 'vitest';
import { ManualRuntime } from '../storage/manual-runtime.ts';
import { RememberedAnswers } from './remembered-answers.ts';

const remembering = (runtime = new ManualRuntime()) =>
  new RememberedAnswers<boolean>({ name: 'answers', isYes: (answer) => answer, yesMs: 100, noMs: 10, runtime });

const never = (): Promise<boolean> => Promise.reject(new Error('asked in vain'));

it('answers are remembered for the time of their sort', async () => {
  const runtime = new ManualRuntime();
  const answers = remembering(runtime);
  await answers.answerTo('good', async () => true);
  await answers.answerTo('bad', async () => false);
  expect([answers.answerTo('good', never), answers.answerTo('bad', never)]).toEqual([true, false]);
  runtime.advance(10);
  expect(answers.answerTo('good', never)).toBe(true);
  expect(await answers.answerTo('bad', async () => true)).toBe(true);
  runtime.advance(90);
  await expect(answers.answerTo('good', never)).rejects.toThrow('asked in vain');
  expect(answers.answerTo('bad', never)).toBe(true);
});

it('a failure is told to all who wait for it, and is not remembered', async () => {
  const answers = remembering();
  const waiting = [answers.answerTo('q', never), answers.answerTo('q', async () => true)];
  for (const answer of waiting) await expect(answer).rejects.toThrow('asked in vain');
  expect(await answers.answerTo('q', async () => true)).toBe(true);
});

it('made-up questions without end take the place of one another, not of what is allowed', async () => {
  const answers = remembering();
  await answers.answerTo('good', async () => true);
  await answers.answerTo('first', async () => false);
  for (let at = 0; at < 50_000; at++) await answers.answerTo(`made-up ${at}`, async () => false);
  expect(answers.answerTo('good', never)).toBe(true);
  expect(answers.answerTo('made-up 49999', never)).toBe(false);
  await expect(answers.answerTo('first', never)).rejects.toThrow('asked in vain');
});
