import { describe, expect, it } from 'vitest';
import { template } from '../../../../test/pods.ts';
import { changed, problemsOf, problemsOfChange } from '../../../../test/problems-of.ts';
import { ReplicationController } from './replication-controller.ts';
import {
  validateReplicationController,
  validateReplicationControllerStatusUpdate,
} from './replication-controller-validation.ts';

const controller = { metadata: { name: 'c' }, spec: { replicas: 1, selector: { app: 'x' }, template } };

describe('a replication controller', () => {
  it.each([
    [{}, []],
    [{ replicas: -1 }, ['Invalid spec.replicas']],
    [{ minReadySeconds: -1 }, ['Invalid spec.minReadySeconds']],
    [{ selector: null, template: { metadata: { labels: null } } }, ['Required spec.selector']],
    [{ selector: { app: 'y' } }, ['Invalid spec.template.metadata.labels']],
    [{ template: null }, ['Required spec.template']],
    [{ template: { spec: { restartPolicy: 'Never' } } }, ['NotSupported spec.template.spec.restartPolicy']],
    [{ template: { spec: { activeDeadlineSeconds: 1 } } }, ['Forbidden spec.template.spec.activeDeadlineSeconds']],
    [{ template: { spec: { containers: null } } }, ['Required spec.template.spec.containers']],
  ])('with %j: %j', (spec, causes) => {
    const document = changed(controller, { spec });
    expect(problemsOf(ReplicationController, { validate: validateReplicationController }, document)).toEqual(causes);
  });

  it('counts no more replicas than there are', () => {
    const report = (status: unknown) =>
      problemsOfChange(
        ReplicationController,
        validateReplicationControllerStatusUpdate,
        controller,
        changed(controller, { status }),
      );
    expect(report({ replicas: 2, readyReplicas: 2, availableReplicas: 1 })).toEqual([]);
    expect(report({ replicas: 1, fullyLabeledReplicas: 2 })).toEqual(['Invalid status.fullyLabeledReplicas']);
  });
});
