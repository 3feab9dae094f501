import { describe, expect, it } from 'vitest';
import { userNamed } from '../../api/user.ts';
import type { Event } from '../../kinds/core/event/event.ts';
import { eventType } from '../../kinds/core/event/event-type.ts';
import { Recorder } from '../../observe/metrics/recorder.ts';
import { admissionRequest } from '../../registry/write.ts';
import { systemRuntime } from '../../runtime/runtime.ts';
import { draftOf } from '../../schema/draft.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { AdmissionMetrics } from '../admission-metrics.ts';
import { AdmissionChain } from '../chain.ts';
import { readEventLimits } from './configuration.ts';
import { eventRateLimit } from './event-rate-limit.ts';

const clock = { now: 0 };
const runtime = { ...systemRuntime, monotonic: () => clock.now };

function limited(...limits: object[]): AdmissionChain {
  const apiVersion = `${vocabularies.platform.configGroups.eventRateLimit}/v1alpha1`;
  const read = readEventLimits({ kind: 'Configuration', apiVersion, limits }, vocabularies.platform);
  const chain = new AdmissionChain(new AdmissionMetrics(new Recorder(), runtime));
  chain.install([{ name: 'EventRateLimit', plugin: eventRateLimit(read, runtime) }]);
  return chain;
}

/** True when the event is let through, else under which key it was one too many. */
function send(plugin: AdmissionChain, { namespace = 'ns', user = 'u', subject = 's', dryRun = false }): true | string {
  const event: Event = {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { name: 'e', namespace, creationTimestamp: null },
    involvedObject: { kind: 'Pod', name: subject, namespace },
    source: { component: 'c' },
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
  };
  const asked = { operation: 'CREATE', type: eventType, subresource: '', namespace, name: 'e' } as const;
  try {
    void plugin.validate(
      admissionRequest(
        { ...asked, object: draftOf(event), oldObject: undefined },
        { user: userNamed(user, []), dryRun },
      ),
    );
    return true;
  } catch (error) {
    return String(error).replace(/.*for key /, '');
  }
}

describe('events', () => {
  it('can come as a burst, and then as fast as the limit says', () => {
    const plugin = limited({ type: 'Server', qps: 2, burst: 3 });
    const sent = () => send(plugin, {});
    expect([sent(), sent(), sent(), sent()]).toEqual([true, true, true, '']);
    clock.now += 499;
    expect(sent()).toBe('');
    clock.now += 1;
    expect([sent(), sent()]).toEqual([true, '']);
    clock.now += 3_600_000;
    expect([sent(), sent(), sent(), sent()]).toEqual([true, true, true, '']);
  });

  it.each([
    ['Namespace', { namespace: 'a' }, { namespace: 'b' }, 'a'],
    ['User', { user: 'a' }, { user: 'b' }, 'a'],
    ['SourceAndObject', { subject: 'a' }, { subject: 'b' }, 'cPodnsa'],
  ])('are counted by %s where a limit says so', (type, one, other, key) => {
    const plugin = limited({ type, qps: 1, burst: 1 });
    expect([send(plugin, one), send(plugin, other), send(plugin, one)]).toEqual([true, true, key]);
  });

  it('are counted by every limit, also when another refuses them', () => {
    const plugin = limited({ type: 'User', qps: 1, burst: 1 }, { type: 'Namespace', qps: 1, burst: 2 });
    expect([send(plugin, {}), send(plugin, {}), send(plugin, { user: 'v' })]).toEqual([true, 'u', 'ns']);
  });

  it('are forgotten of whom nothing was heard for longest', () => {
    const plugin = limited({ type: 'User', qps: 1, burst: 1, cacheSize: 2 });
    for (const user of ['a', 'b']) expect(send(plugin, { user })).toBe(true);
    expect(send(plugin, { user: 'a' })).toBe('a');
    expect(send(plugin, { user: 'c' })).toBe(true);
    expect(send(plugin, { user: 'a' })).toBe('a');
    expect(send(plugin, { user: 'b' })).toBe(true);
  });

  it('that are not to be stored do not count', () => {
    const plugin = limited({ type: 'Server', qps: 1, burst: 1 });
    expect([send(plugin, { dryRun: true }), send(plugin, {}), send(plugin, { dryRun: true })]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
