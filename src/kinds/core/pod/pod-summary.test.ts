import { describe, expect, it } from 'vitest';
import { canonicalise } from '../../../schema/derive/canonical.ts';
import { Pod } from './pod.ts';
import { summarisePod } from './pod-summary.ts';

type State = { [word: string]: { [field: string]: unknown } };

const container = (state: State, more: object = {}): object => ({ name: 'c', state, ...more });
const running = (ready = true): object => container({ running: {} }, { ready });
const ended = (exitCode: number, more: object = {}): object => container({ terminated: { exitCode, ...more } });
const waiting = (reason?: string): object => container({ waiting: reason === undefined ? {} : { reason } });

function pod(status: object, metadata: object = {}): Pod {
  const spec = { containers: [{}, {}], initContainers: [{}, {}] };
  return canonicalise(Pod, { metadata, spec, status }).value;
}

const statusOf = (status: object, metadata: object = {}): string => summarisePod(pod(status, metadata)).status;

describe('the status of a pod', () => {
  it.each([
    ['its phase, when nothing is known of containers', { phase: 'Pending' }, 'Pending'],
    ['its reason before its phase', { phase: 'Failed', reason: 'Evicted' }, 'Evicted'],
    ['how many init containers are done', { initContainerStatuses: [ended(0), waiting()] }, 'Init:1/2'],
    [
      'nothing special while init containers take turns',
      { initContainerStatuses: [waiting('PodInitializing')] },
      'Init:0/2',
    ],
    ['what an init container waits for', { initContainerStatuses: [waiting('ErrImagePull')] }, 'Init:ErrImagePull'],
    ['why an init container failed', { initContainerStatuses: [ended(1, { reason: 'Error' })] }, 'Init:Error'],
    ['the signal that ended it', { initContainerStatuses: [ended(137, { signal: 9 })] }, 'Init:Signal:9'],
    ['the code it ended with', { initContainerStatuses: [ended(3)] }, 'Init:ExitCode:3'],
    [
      'what a container waits for',
      { phase: 'Running', containerStatuses: [waiting('CrashLoopBackOff')] },
      'CrashLoopBackOff',
    ],
    [
      'its phase while a container waits for no reason',
      { phase: 'Pending', containerStatuses: [waiting()] },
      'Pending',
    ],
    ['why a container ended', { phase: 'Failed', containerStatuses: [ended(1, { reason: 'OOMKilled' })] }, 'OOMKilled'],
    [
      'the signal that ended a container',
      { phase: 'Failed', containerStatuses: [ended(137, { signal: 9 })] },
      'Signal:9',
    ],
    ['the code a container ended with', { phase: 'Failed', containerStatuses: [ended(2)] }, 'ExitCode:2'],
    [
      'what the first container says, before the others',
      { containerStatuses: [waiting('First'), waiting('Second')] },
      'First',
    ],
    [
      'that it is not ready, when some have completed and the rest runs',
      { phase: 'Running', containerStatuses: [ended(0, { reason: 'Completed' }), running()] },
      'NotReady',
    ],
    [
      'that it runs, when some have completed and the pod is ready',
      {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [ended(0, { reason: 'Completed' }), running()],
      },
      'Running',
    ],
    [
      'that it has completed, when all have',
      { phase: 'Succeeded', containerStatuses: [ended(0, { reason: 'Completed' })] },
      'Completed',
    ],
  ])('says %s', (_what, status, text) => {
    expect(statusOf(status)).toBe(text);
  });

  it('says that the pod is going, whatever else is known', () => {
    const metadata = { deletionTimestamp: '2024-01-01T00:00:00Z' };
    expect(statusOf({ phase: 'Running', containerStatuses: [waiting('Something')] }, metadata)).toBe('Terminating');
    expect(statusOf({ phase: 'Running', reason: 'NodeLost' }, metadata)).toBe('Unknown');
  });
});

describe('the readiness of a pod', () => {
  it('counts containers that run and are ready', () => {
    expect(summarisePod(pod({ containerStatuses: [running(), running(false), ended(0)] })).ready).toBe(1);
  });

  it('is none while it initializes', () => {
    const status = { initContainerStatuses: [waiting()], containerStatuses: [running()] };
    expect(summarisePod(pod(status)).ready).toBe(0);
  });
});

describe('the restarts of a pod', () => {
  const restarted = (state: State, restartCount: number, finishedAt: string): object =>
    container(state, { restartCount, lastState: { terminated: { exitCode: 1, finishedAt } } });

  it('are those of init containers up to the one at work, while it initializes', () => {
    const status = {
      initContainerStatuses: [
        restarted({ terminated: { exitCode: 0 } }, 2, '2024-01-01T00:00:01Z'),
        restarted({ running: {} }, 3, '2024-01-01T00:00:09Z'),
        restarted({ waiting: {} }, 50, '2024-01-01T00:00:20Z'),
      ],
      containerStatuses: [restarted({ waiting: {} }, 100, '2024-01-01T00:00:30Z')],
    };
    expect(summarisePod(pod(status))).toMatchObject({ restarts: 5, lastRestart: '2024-01-01T00:00:09Z' });
  });

  it('are those of containers afterwards, though the last may have been before', () => {
    const status = {
      initContainerStatuses: [restarted({ terminated: { exitCode: 0 } }, 2, '2024-01-01T00:00:40Z')],
      containerStatuses: [
        restarted({ running: {} }, 1, '2024-01-01T00:00:05Z'),
        restarted({ running: {} }, 3, '2024-01-01T00:00:04Z'),
      ],
    };
    expect(summarisePod(pod(status))).toMatchObject({ restarts: 4, lastRestart: '2024-01-01T00:00:40Z' });
  });

  it('have no time when nothing ever ended', () => {
    expect(summarisePod(pod({ containerStatuses: [running()] }))).toMatchObject({
      restarts: 0,
      lastRestart: undefined,
    });
  });
});
