import { expect, it } from 'vitest';
import type { ResourceQuota } from '../../kinds/core/namespace/resource-quota.ts';
import { LONGEST_WRITE_MS, PendingCharges } from './pending-charges.ts';
import { amountsOf } from './usage.ts';

const quota = (resourceVersion: string, pods: string): ResourceQuota => ({
  kind: 'ResourceQuota',
  apiVersion: 'v1',
  metadata: { name: 'q', resourceVersion, creationTimestamp: null },
  spec: {},
  status: { used: { pods } },
});

it('what others charged may be in use as long as their writes can be on their way', () => {
  const charges = new PendingCharges();
  const pending = (now: number) => amountsOf(charges.sum(now));
  charges.note(quota('1', '2'), 0);
  charges.note(quota('2', '5'), 10);
  expect(pending(10)).toEqual({ pods: '5' });
  charges.note(quota('3', '1'), 20);
  expect(pending(LONGEST_WRITE_MS - 1)).toEqual({ pods: '5' });
  expect(pending(LONGEST_WRITE_MS)).toEqual({ pods: '3' });
  expect(pending(LONGEST_WRITE_MS + 10)).toEqual({});
});

it('what we charged ourselves is known exactly', () => {
  const charges = new PendingCharges();
  charges.note(quota('1', '2'), 0);
  charges.note(quota('2', '5'), 0);
  charges.own('2');
  expect(amountsOf(charges.sum(0))).toEqual({ pods: '2' });
});

it('a charge whose write is over does not come back when another is noted', () => {
  const charges = new PendingCharges();
  charges.note(quota('1', '2'), 0);
  charges.note(quota('2', '3'), LONGEST_WRITE_MS);
  expect(amountsOf(charges.sum(LONGEST_WRITE_MS))).toEqual({ pods: '1' });
});
