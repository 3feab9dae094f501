import { expect, it } from 'vitest';
import type { UserInfo } from '../../api/user.ts';
import { ABSTAIN } from '../../authorization/always.ts';
import { RbacIndex } from '../../authorization/rbac/rbac-index.ts';
import { union } from '../../authorization/union.ts';
import { type Runtime, systemRuntime } from '../../runtime/runtime.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { DenialLog } from './denial-log.ts';
import { denialResource } from './denial-resource.ts';

const vocabulary = vocabularies.platform;

/** Work takes time on it as often as somebody looks at the clock. */
function busyRuntime(): Runtime & { turns: number } {
  let milliseconds = 0;
  const runtime = {
    ...systemRuntime,
    turns: 0,
    monotonic: () => ++milliseconds,
    soon(callback: () => void): void {
      runtime.turns++;
      systemRuntime.soon(callback);
    },
  };
  return runtime;
}

it('a list of as many denials as are kept is in order, whole, and takes turns with other work', async () => {
  const runtime = busyRuntime();
  const denials = new DenialLog(runtime);
  for (let caller = 0; caller < 6_000; caller++) {
    const user: UserInfo = { name: `caller${caller}`, uid: '', groups: [], extra: new Map() };
    const wanted = { group: '', version: 'v1', resource: 'nodes', subresource: '', namespace: '', name: 'n1' };
    const attributes = { user, verb: 'get', resourceRequest: true, path: '/api/v1/nodes/n1', ...wanted };
    denials.note({ attributes, decision: ABSTAIN, message: 'no', modes: ['RBAC'], impersonator: '', auditId: 'a' });
  }
  const rbac = new RbacIndex(vocabulary.groups.rbac);
  const sources = { authorizer: union([rbac]), rbac, vocabulary, runtime };
  const listed = await denialResource(denials, sources, vocabulary.groups.explain).objects();
  const names = listed.map(({ metadata }) => metadata.name ?? '');
  expect(names.length).toBe(denials.entries);
  expect(names.length).toBeGreaterThan(2_000);
  expect(names.length).toBeLessThan(6_000);
  expect(names).toEqual(names.toSorted());
  expect(runtime.turns).toBeGreaterThan(names.length / 5);
});
