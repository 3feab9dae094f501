import { expect, it } from 'vitest';
import { withFindings } from './deletion-conditions.ts';
import type { NamespaceFindings } from './findings.ts';

const NOTHING: NamespaceFindings = {
  undiscovered: new Map(),
  failures: [],
  remaining: new Map(),
  finalizers: new Map(),
};
const [EARLIER, NOW] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];

it('conditions keep their time while they stay as they are, and others are left alone', () => {
  const other = { type: 'Other', status: 'True', lastTransitionTime: EARLIER };
  const remaining = new Map([['pods.', 2]]);
  const before = withFindings({ phase: 'Terminating', conditions: [other] }, { ...NOTHING, remaining }, EARLIER);
  const after = before && withFindings(before, { ...NOTHING, remaining: new Map([['pods.', 1]]) }, NOW);
  expect(after?.conditions?.[0]).toEqual(other);
  expect(after?.conditions?.find(({ type }) => type === 'NamespaceContentRemaining')).toEqual({
    type: 'NamespaceContentRemaining',
    status: 'True',
    reason: 'SomeResourcesRemain',
    message: 'Some resources are remaining: pods. has 1 resource instances',
    lastTransitionTime: EARLIER,
  });
  const cleared = after && withFindings(after, NOTHING, NOW);
  expect(cleared?.conditions?.map(({ lastTransitionTime }) => lastTransitionTime === NOW)).toEqual([
    false,
    false,
    false,
    false,
    true,
    false,
  ]);
  expect(cleared && withFindings(cleared, NOTHING, NOW)).toBeUndefined();
});

it('a condition stays readable, however much there is to say', () => {
  const failures = Array.from({ length: 300 }, (_, at) => `${at} ${'x'.repeat(10_000)}`);
  const finalizers = new Map(failures.map((failure) => [failure, 1]));
  const status = withFindings({ phase: 'Terminating' }, { ...NOTHING, failures, finalizers }, NOW);
  for (const { message = '' } of status?.conditions ?? []) expect(message.length).toBeLessThan(11_000);
  const [, , content] = status?.conditions ?? [];
  expect(content?.message).toMatch(/^Failed to delete all resource types, 300 remaining: 0 x+…, .*, and 280 more$/);
});
