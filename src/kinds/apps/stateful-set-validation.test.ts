import { describe, expect, it } from 'vitest';
import { template } from '../../../test/pods.ts';
import { changed, problemsOf, problemsOfChange } from '../../../test/problems-of.ts';
import { ControllerRevision } from './controller-revision.ts';
import { validateControllerRevision, validateControllerRevisionUpdate } from './controller-revision-validation.ts';
import { StatefulSet } from './stateful-set.ts';
import {
  validateStatefulSet,
  validateStatefulSetStatusUpdate,
  validateStatefulSetUpdate,
} from './stateful-set-validation.ts';

const set = {
  metadata: { name: 's' },
  spec: {
    replicas: 2,
    serviceName: 'x',
    selector: { matchLabels: { app: 'x' } },
    template,
    podManagementPolicy: 'Parallel',
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
  },
};

describe('a stateful set', () => {
  const labels = 'Invalid spec.template.metadata.labels';

  it.each([
    [{}, []],
    [{ template: { spec: { containers: [{ name: '' }] } } }, []],
    [{ replicas: -1 }, ['Invalid spec.replicas']],
    [{ minReadySeconds: -1 }, ['Invalid spec.minReadySeconds']],
    [{ podManagementPolicy: 'Odd' }, ['Invalid spec.podManagementPolicy']],
    [{ updateStrategy: { type: 'Odd' } }, ['Invalid spec.updateStrategy']],
    [{ updateStrategy: { type: 'OnDelete' } }, ['Invalid spec.updateStrategy.rollingUpdate']],
    [{ updateStrategy: { rollingUpdate: { partition: -1 } } }, ['Invalid spec.updateStrategy.rollingUpdate.partition']],
    [{ selector: null }, [labels, 'Required spec.selector']],
    [{ selector: { matchLabels: null } }, ['Invalid spec.selector']],
    [{ selector: { matchLabels: { app: 'other' } } }, [labels]],
    [{ template: { metadata: { labels: { a: 'b c' } } } }, ['Invalid spec.template.labels']],
    [{ template: { metadata: { annotations: { 'a b': '' } } } }, ['Invalid spec.template.annotations']],
    [{ template: { spec: { restartPolicy: 'Never' } } }, ['NotSupported spec.template.spec.restartPolicy']],
    [{ template: { spec: { activeDeadlineSeconds: 1 } } }, ['Forbidden spec.template.spec.activeDeadlineSeconds']],
    [
      { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Odd' } },
      ['NotSupported spec.persistentVolumeClaimRetentionPolicy.whenScaled'],
    ],
  ])('with %j: %j', (spec, causes) => {
    expect(problemsOf(StatefulSet, { validate: validateStatefulSet }, changed(set, { spec }))).toEqual(causes);
  });

  it.each([
    [{ replicas: 5, minReadySeconds: 1, template: { metadata: { labels: { app: 'y' } } } }, []],
    [{ serviceName: 'y' }, ['Forbidden spec']],
    [{ selector: { matchLabels: { app: 'y' } } }, ['Forbidden spec']],
    [{ podManagementPolicy: 'OrderedReady' }, ['Forbidden spec']],
  ])('changed to %j: %j', (spec, causes) => {
    expect(problemsOfChange(StatefulSet, validateStatefulSetUpdate, set, changed(set, { spec }))).toEqual(causes);
  });

  it.each([
    [{ replicas: 2, readyReplicas: 1, currentReplicas: 2, updatedReplicas: 2, availableReplicas: 1 }, []],
    [{ replicas: 1, currentReplicas: 2 }, ['Invalid status.currentReplicas']],
    [{ replicas: 1, updatedReplicas: 2 }, ['Invalid status.updatedReplicas']],
    [{ replicas: 2, readyReplicas: 1, availableReplicas: 2 }, ['Invalid status.availableReplicas']],
    [{ observedGeneration: -1 }, ['Invalid status.observedGeneration']],
  ])('in status %j: %j', (status, causes) => {
    expect(problemsOfChange(StatefulSet, validateStatefulSetStatusUpdate, set, changed(set, { status }))).toEqual(
      causes,
    );
  });
});

it('keeps former states as they were', () => {
  const rules = { validate: validateControllerRevision };
  expect(problemsOf(ControllerRevision, rules, { data: { a: 1 }, revision: 1 })).toEqual([]);
  expect(problemsOf(ControllerRevision, rules, { revision: -1 })).toEqual(['Invalid revision', 'Required data']);
  const change = (data: unknown) =>
    problemsOfChange(ControllerRevision, validateControllerRevisionUpdate, { data: { a: 1 } }, { data, revision: 2 });
  expect([change({ a: 1 }), change({ a: 2 })]).toEqual([[], ['Invalid data']]);
});
