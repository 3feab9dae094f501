import { describe, expect, it } from 'vitest';
import { template } from '../../../test/pods.ts';
import { changed, problemsOf, problemsOfChange } from '../../../test/problems-of.ts';
import { DaemonSet } from './daemon-set.ts';
import { validateDaemonSet, validateDaemonSetStatusUpdate, validateDaemonSetUpdate } from './daemon-set-validation.ts';

const daemons = {
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { app: 'x' } },
    template,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
    revisionHistoryLimit: 10,
  },
};

describe('a daemon set', () => {
  const labels = 'Invalid spec.template.metadata.labels';

  it.each([
    [{}, []],
    [{ updateStrategy: { type: 'OnDelete', rollingUpdate: null } }, []],
    [{ updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: '100%' } } }, []],
    [{ selector: null }, [labels]],
    [{ selector: { matchLabels: null } }, ['Invalid spec.selector']],
    [{ selector: { matchLabels: { app: 'other' } } }, [labels]],
    [{ template: { spec: { containers: null } } }, ['Required spec.template.spec.containers']],
    [{ template: { spec: { restartPolicy: 'Never' } } }, ['NotSupported spec.template.spec.restartPolicy']],
    [{ template: { spec: { activeDeadlineSeconds: 1 } } }, ['Forbidden spec.template.spec.activeDeadlineSeconds']],
    [{ minReadySeconds: -1 }, ['Invalid spec.minReadySeconds']],
    [{ revisionHistoryLimit: -1 }, ['Invalid spec.revisionHistoryLimit']],
    [{ updateStrategy: { type: 'Odd' } }, ['NotSupported spec.updateStrategy']],
    [
      { updateStrategy: { rollingUpdate: { maxUnavailable: 'x' } } },
      [
        'Invalid spec.updateStrategy.rollingUpdate.maxUnavailable',
        'Required spec.updateStrategy.rollingUpdate.maxUnavailable',
      ],
    ],
    [
      { updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: '101%' } } },
      ['Invalid spec.updateStrategy.rollingUpdate.maxSurge'],
    ],
    [{ updateStrategy: { rollingUpdate: { maxSurge: 1 } } }, ['Invalid spec.updateStrategy.rollingUpdate.maxSurge']],
    [
      { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } },
      ['Required spec.updateStrategy.rollingUpdate.maxUnavailable'],
    ],
  ])('with %j: %j', (spec, causes) => {
    expect(problemsOf(DaemonSet, { validate: validateDaemonSet }, changed(daemons, { spec }))).toEqual(causes);
  });

  it('keeps its selector', () => {
    const other = changed(daemons, { spec: { selector: { matchLabels: { app: 'y' } } } });
    expect(problemsOfChange(DaemonSet, validateDaemonSetUpdate, daemons, other)).toEqual(['Invalid spec.selector']);
  });

  it.each([
    [{ currentNumberScheduled: 3, numberReady: 9, collisionCount: 1 }, []],
    [{ numberReady: -1 }, ['Invalid status.numberReady']],
    [{ numberUnavailable: -1 }, ['Invalid status.numberUnavailable']],
    [{ collisionCount: 0 }, ['Invalid status.collisionCount']],
  ])('in status %j: %j', (status, causes) => {
    const before = changed(daemons, { status: { collisionCount: 1 } });
    expect(problemsOfChange(DaemonSet, validateDaemonSetStatusUpdate, before, changed(before, { status }))).toEqual(
      causes,
    );
  });
});
