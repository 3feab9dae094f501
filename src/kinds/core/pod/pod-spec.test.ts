import { expect, it } from 'vitest';
import { canonicalise } from '../../../schema/derive/canonical.ts';
import { applyDefaults } from '../../../schema/derive/defaults.ts';
import { PodSpec } from './pod-spec.ts';

const complete = (sent: object): PodSpec => {
  const { value } = canonicalise(PodSpec, { containers: [{ name: 'c', image: 'i' }], ...sent });
  applyDefaults(PodSpec, value);
  return value;
};

it.each([
  [{ serviceAccountName: 'new' }, 'new'],
  [{ serviceAccount: 'old' }, 'old'],
  [{ serviceAccountName: 'new', serviceAccount: 'old' }, 'new'],
  [{}, undefined],
])('%j names one service account under both names', (sent, name) => {
  const { serviceAccountName, serviceAccount } = complete(sent);
  expect([serviceAccountName, serviceAccount]).toEqual([name, name]);
});

it('leaves a volume that says where it comes from as it is', () => {
  const { volumes } = complete({ volumes: [{ name: 'a' }, { name: 'b', nfs: { server: 's', path: '/' } }] });
  expect(volumes).toEqual([
    { name: 'a', emptyDir: {} },
    { name: 'b', nfs: { server: 's', path: '/' } },
  ]);
});
