import { expect, it } from 'vitest';
import { ConfigMap } from '../kinds/core/config-map.ts';
import type { AdmissionRequest } from '../registry/admission.ts';
import { resourceType } from '../registry/resource-type.ts';
import { userNamed } from '../user.ts';
import { AdmissionChain, type AdmissionPlugin } from './chain.ts';

const type = resourceType<ConfigMap>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
  schema: ConfigMap,
  nameRule: () => undefined,
});

const request = (): AdmissionRequest => ({
  operation: 'CREATE',
  type,
  subresource: '',
  namespace: 'n',
  name: 'a',
  object: undefined,
  oldObject: undefined,
  user: userNamed('someone', []),
  dryRun: false,
  warn() {},
  annotate() {},
});

/** A plugin that notes when it was asked, and may want everyone to be asked again. */
const noting = (name: string, asked: string[], { again = false, waits = false } = {}): AdmissionPlugin => ({
  name,
  operations: ['CREATE'],
  mutate(_request, rounds) {
    asked.push(rounds.isRepeated ? `${name} again` : name);
    if (again) rounds.again();
    return waits ? Promise.resolve() : undefined;
  },
});

it.each([false, true])('mutating plugins are asked once when none wants more (one waits: %s)', async (waits) => {
  const asked: string[] = [];
  await new AdmissionChain([noting('a', asked, { waits }), noting('b', asked)]).mutate(request());
  expect(asked).toEqual(['a', 'b']);
});

it.each([false, true])(
  'all are asked once more when one wants it, and never a third time (it waits: %s)',
  async (waits) => {
    const asked: string[] = [];
    await new AdmissionChain([noting('a', asked), noting('b', asked, { again: true, waits })]).mutate(request());
    expect(asked).toEqual(['a', 'b', 'a again', 'b again']);
  },
);
