import { expect, it } from 'vitest';
import { userNamed } from '../api/user.ts';
import { METRICS } from '../observe/metrics/metrics.ts';
import { Recorder } from '../observe/metrics/recorder.ts';
import type { MutatingRequest } from '../registry/admission.ts';
import { zooType } from '../registry/test-kinds.ts';
import { systemRuntime } from '../runtime/runtime.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import { AdmissionChain } from './chain.ts';
import type { AdmissionPlugin, NamedPlugin } from './plugin.ts';
import { onAny } from './rule.ts';

const type = zooType('lions', 'v1');

const request = (more: Partial<MutatingRequest> = {}): MutatingRequest => ({
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
  ...more,
});

function chainOf(plugins: readonly NamedPlugin[], recorder = new Recorder()): AdmissionChain {
  const chain = new AdmissionChain(new AdmissionMetrics(recorder, systemRuntime));
  chain.install(plugins);
  return chain;
}

const named = (name: string, rules: AdmissionPlugin['rules']): NamedPlugin => ({ name, plugin: { rules } });

/** A plugin that notes when it was asked, and may want everyone to be asked again. */
const noting = (name: string, asked: string[], { again = false, waits = false } = {}): NamedPlugin =>
  named(name, [
    onAny().mutate({
      create(_request, rounds) {
        asked.push(rounds.isRepeated ? `${name} again` : name);
        if (again) rounds.again();
        return waits ? Promise.resolve() : undefined;
      },
    }),
  ]);

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

it('of the rules of a plugin the first that is about a request is asked, in each phase', () => {
  const asked: string[] = [];
  const note = (text: string) => (): void => {
    asked.push(text);
  };
  const chain = chainOf([
    named('a', [
      onAny((_type, subresource) => subresource === 'status').mutate({ update: note('status') }),
      onAny().mutate({ update: note('any'), delete: note('gone') }),
      onAny().mutate({ update: note('never'), connect: note('connected') }),
      onAny().validate({ update: note('looked at') }),
    ]),
  ]);
  for (const subresource of ['status', 'scale']) {
    chain.mutate(request({ operation: 'UPDATE', subresource }));
    chain.validate(request({ operation: 'UPDATE', subresource }));
  }
  for (const operation of ['CREATE', 'DELETE', 'CONNECT'] as const) chain.mutate(request({ operation }));
  expect(asked).toEqual(['status', 'looked at', 'any', 'looked at', 'gone', 'connected']);
});

it('whom a place concerns is found out once for each type, and anew for one that takes its place', () => {
  const looked: string[] = [];
  const acted: string[] = [];
  const chain = chainOf([
    named('a', [
      onAny((one, subresource) => {
        looked.push(`${one.version} ${subresource}`.trim());
        return one.version === 'v2';
      }).validate({ write: (one) => void acted.push(one.type.version) }),
    ]),
  ]);
  const replaced = zooType('lions', 'v2');
  for (const one of [type, type, replaced, type, replaced]) chain.validate(request({ type: one }));
  chain.validate(request({ type, subresource: 'status', operation: 'UPDATE' }));
  expect(looked).toEqual(['v1', 'v2', 'v1 status']);
  expect(acted).toEqual(['v2', 'v2']);
});

it('phases and plugins are counted with how long they took, refusals apart', async () => {
  const recorder = new Recorder();
  const asked: string[] = [];
  const refusing = named('no', [onAny().validate({ create: () => Promise.reject(new Error('no')) })]);
  const unconcerned = named('elsewhere', [onAny(() => false).validate({ create: () => {} })]);
  const chain = chainOf([noting('a', asked, { again: true }), unconcerned, refusing], recorder);
  await chain.mutate(request());
  await expect(chain.validate(request())).rejects.toThrow('no');
  const counted = (name: 'controller' | 'step') => {
    const metric = `apiserver_admission_${name}_admission_duration_seconds` as const;
    return [...recorder.readings(metric, METRICS[metric])]
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
