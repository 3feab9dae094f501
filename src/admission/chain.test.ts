import { expect, it } from 'vitest';
import { userNamed } from '../api/user.ts';
import { ConfigMap } from '../kinds/core/config/config-map.ts';
import { METRICS } from '../observe/metrics/metrics.ts';
import { Recorder } from '../observe/metrics/recorder.ts';
import type { MutatingRequest } from '../registry/admission.ts';
import { resourceType } from '../registry/resource-type.ts';
import { systemRuntime } from '../runtime/runtime.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
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

const request = (): MutatingRequest => ({
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
  waited() {},
});

function chainOf(plugins: readonly AdmissionPlugin[], recorder = new Recorder()): AdmissionChain {
  const chain = new AdmissionChain(new AdmissionMetrics(recorder, systemRuntime));
  chain.install(plugins);
  return chain;
}

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

it('nothing is admitted before the plugins are there, and they come once', () => {
  const chain = new AdmissionChain(new AdmissionMetrics(new Recorder(), systemRuntime));
  expect(() => chain.mutate(request())).toThrow('admission was asked before it had its plugins');
  expect(() => chain.validate(request())).toThrow('admission was asked before it had its plugins');
  chain.install([]);
  expect(() => chain.install([])).toThrow('admission has its plugins already');
});

it.each([false, true])('mutating plugins are asked once when none wants more (one waits: %s)', async (waits) => {
  const asked: string[] = [];
  await chainOf([noting('a', asked, { waits }), noting('b', asked)]).mutate(request());
  expect(asked).toEqual(['a', 'b']);
});

it.each([false, true])(
  'all are asked once more when one wants it, and never a third time (it waits: %s)',
  async (waits) => {
    const asked: string[] = [];
    await chainOf([noting('a', asked), noting('b', asked, { again: true, waits })]).mutate(request());
    expect(asked).toEqual(['a', 'b', 'a again', 'b again']);
  },
);

it('phases and plugins are counted with how long they took, refusals apart', async () => {
  const recorder = new Recorder();
  const asked: string[] = [];
  const refusing: AdmissionPlugin = {
    name: 'no',
    operations: ['CREATE'],
    validate: () => Promise.reject(new Error('no')),
  };
  const chain = chainOf([noting('a', asked, { again: true }), refusing], recorder);
  await chain.mutate(request());
  await expect(chain.validate(request())).rejects.toThrow('no');
  const counted = (name: 'controller' | 'step') => {
    const metric = `apiserver_admission_${name}_admission_duration_seconds` as const;
    return recorder
      .readings(metric, METRICS[metric])
      .filter(({ suffix, value }) => suffix === '_count' && value > 0)
      .map(({ labels, value }) => [...Object.values(labels), value]);
  };
  expect(counted('controller')).toEqual([
    ['a', 'admit', 'CREATE', 'false', 2],
    ['no', 'validate', 'CREATE', 'true', 1],
  ]);
  expect(counted('step')).toEqual([
    ['admit', 'CREATE', 'false', 1],
    ['validate', 'CREATE', 'true', 1],
  ]);
});
