import { expect, it } from 'vitest';
import { MANY_ENTRIES } from '../runtime/later.ts';
import type { Steps } from '../runtime/pacing.ts';
import { PlainDocument } from './applied-document.ts';
import { sharingOf } from './derive-sharing.ts';
import { DuplicateElement } from './difference.ts';
import { FieldSet } from './field-set.ts';
import { finished, Thing } from './test-object.ts';

const MANY = 8_000;
const times = <T>(make: (at: number) => T): T[] => Array.from({ length: MANY }, (_, at) => make(at));
const thing = (value: string, moved = 0) => ({
  labels: Object.fromEntries(times((at) => [`label-${at}`, value])),
  parts: times((at) => ({ name: `part-${(at + moved) % MANY}`, size: value.length })),
  colours: times((at) => `colour-${at}-${value}`),
});

const applied = (document: object) =>
  new PlainDocument(
    { manager: 'm', operation: 'Apply', apiVersion: 'v1', subresource: '' },
    finished(document) as never,
    sharingOf(Thing),
    FieldSet.EMPTY,
  );

/** What comes of it, and in how many steps. */
function stepped<T>(steps: Steps<T>): { result: T; count: number } {
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done) return { result: step.value, count };
  }
}

it('is read in steps, however large a map or list is', () => {
  const document = applied(thing('a'));
  const { result, count } = stepped(document.readFields());
  expect(count).toBeGreaterThan((3 * MANY) / MANY_ENTRIES);
  expect(result.below('f:labels').members.size).toBe(MANY);
  expect(result.below('f:parts').children.size).toBe(MANY);
  expect(result.below('f:colours').members.size).toBe(MANY);
  expect(document.fields).toBe(result);
});

it.each([
  ['where they are', 0],
  ['in another order', 1],
])('is merged in steps, with items %s', (_, moved) => {
  const live = finished(thing('a')) as { [name: string]: unknown };
  const { result, count } = stepped(applied(thing('bb', moved)).mergeInto(live));
  expect(count).toBeGreaterThan((4 * MANY) / MANY_ENTRIES);
  expect(result).toMatchObject({ labels: thing('bb').labels, parts: thing('bb', moved).parts });
  expect(result.colours).toHaveLength(2 * MANY);
  expect(live).toEqual(finished(thing('a')));
});

it('is refused when it says something twice, at the end of a long list too', () => {
  const parts = [...thing('a').parts, { name: 'part-0' }];
  expect(() => stepped(applied({ parts }).readFields())).toThrow(DuplicateElement);
});
