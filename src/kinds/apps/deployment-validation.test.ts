import { describe, expect, it } from 'vitest';
import { container, template } from '../../../test/pods.ts';
import { changed, problemsOf, problemsOfChange } from '../../../test/problems-of.ts';
import { Deployment } from './deployment.ts';
import {
  validateDeployment,
  validateDeploymentStatusUpdate,
  validateDeploymentUpdate,
} from './deployment-validation.ts';
import { ReplicaSet } from './replica-set.ts';
import {
  validateReplicaSet,
  validateReplicaSetStatusUpdate,
  validateReplicaSetUpdate,
} from './replica-set-validation.ts';

const replicated = {
  metadata: { name: 'd' },
  spec: { replicas: 2, selector: { matchLabels: { app: 'x' } }, template },
};
const deployment = changed(replicated, {
  spec: {
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: 1 } },
    minReadySeconds: 5,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  },
});

describe.each([
  [
    'a deployment',
    (change: unknown) => problemsOf(Deployment, { validate: validateDeployment }, changed(deployment, change)),
  ],
  [
    'a replica set',
    (change: unknown) => problemsOf(ReplicaSet, { validate: validateReplicaSet }, changed(replicated, change)),
  ],
])('%s', (_name, problems) => {
  it('may be plain', () => {
    expect(problems({})).toEqual([]);
  });

  const labels = 'Invalid spec.template.metadata.labels';

  it.each([
    [{ replicas: -1 }, ['Invalid spec.replicas']],
    [{ minReadySeconds: -1 }, ['Invalid spec.minReadySeconds']],
    [{ selector: null }, [labels, 'Required spec.selector']],
    [{ selector: { matchLabels: null } }, ['Invalid spec.selector']],
    [{ selector: { matchLabels: { app: 'b c' } } }, ['Invalid spec.selector.matchLabels', labels]],
    [{ selector: { matchLabels: { app: 'other' } } }, [labels]],
    [{ selector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] } }, ['Invalid spec.selector']],
    [{ template: { metadata: { labels: { 'a b': 'c' } } } }, ['Invalid spec.template.labels']],
    [{ template: { metadata: { annotations: { 'a b': 'c' } } } }, ['Invalid spec.template.annotations']],
    [{ template: { spec: { containers: null } } }, ['Required spec.template.spec.containers']],
    [{ template: { spec: { restartPolicy: 'Never' } } }, ['NotSupported spec.template.spec.restartPolicy']],
    [{ template: { spec: { activeDeadlineSeconds: 5 } } }, ['Forbidden spec.template.spec.activeDeadlineSeconds']],
    [
      { template: { spec: { ephemeralContainers: [{ ...container, name: 'e' }] } } },
      ['Forbidden spec.template.spec.ephemeralContainers'],
    ],
    [
      { template: { spec: { volumes: [{ name: 'v', gcePersistentDisk: { pdName: 'd' } }] } } },
      ['Invalid spec.template.spec.volumes[0].gcePersistentDisk.readOnly'],
    ],
  ])('with %j is refused', (spec, causes) => {
    expect(problems({ spec })).toEqual(causes);
  });

  it('may hold an image that is no image yet', () => {
    expect(problems({ spec: { template: { spec: { containers: [{ ...container, image: ' ' }] } } } })).toEqual([]);
  });
});

describe('a deployment', () => {
  it.each([
    [{ revisionHistoryLimit: -1 }, ['Invalid spec.revisionHistoryLimit']],
    [{ progressDeadlineSeconds: -1 }, ['Invalid spec.progressDeadlineSeconds']],
    [{ progressDeadlineSeconds: 5 }, ['Invalid spec.progressDeadlineSeconds']],
    [{ strategy: { type: 'Odd' } }, ['NotSupported spec.strategy']],
    [{ strategy: { type: 'Recreate' } }, ['Forbidden spec.strategy.rollingUpdate']],
    [{ strategy: { rollingUpdate: { maxUnavailable: -1 } } }, ['Invalid spec.strategy.rollingUpdate.maxUnavailable']],
    [{ strategy: { rollingUpdate: { maxSurge: 'x' } } }, ['Invalid spec.strategy.rollingUpdate.maxSurge']],
    [
      { strategy: { rollingUpdate: { maxUnavailable: '101%' } } },
      ['Invalid spec.strategy.rollingUpdate.maxUnavailable'],
    ],
    [
      { strategy: { rollingUpdate: { maxUnavailable: '0%', maxSurge: 0 } } },
      ['Invalid spec.strategy.rollingUpdate.maxUnavailable'],
    ],
  ])('with %j is refused', (spec, causes) => {
    expect(problemsOf(Deployment, { validate: validateDeployment }, changed(deployment, { spec }))).toEqual(causes);
  });
});

it('keeps its selector', () => {
  const other = { spec: { selector: { matchLabels: { app: 'y' } } } };
  const { problems, same } = {
    problems: ['Invalid spec.selector'],
    same: changed(deployment, { spec: { replicas: 9 } }),
  };
  expect(problemsOfChange(Deployment, validateDeploymentUpdate, deployment, changed(deployment, other))).toEqual(
    problems,
  );
  expect(problemsOfChange(ReplicaSet, validateReplicaSetUpdate, replicated, changed(replicated, other))).toEqual(
    problems,
  );
  expect(problemsOfChange(Deployment, validateDeploymentUpdate, deployment, same)).toEqual([]);
});

describe('the status of a deployment', () => {
  it.each([
    [{ replicas: 3, updatedReplicas: 3, readyReplicas: 2, availableReplicas: 1, collisionCount: 2 }, []],
    [{ replicas: -1 }, ['availableReplicas', 'readyReplicas', 'replicas', 'updatedReplicas']],
    [{ observedGeneration: -1 }, ['observedGeneration']],
    [{ unavailableReplicas: -1 }, ['unavailableReplicas']],
    [{ replicas: 1, updatedReplicas: 2 }, ['updatedReplicas']],
    [{ replicas: 1, readyReplicas: 2 }, ['readyReplicas']],
    [{ replicas: 2, readyReplicas: 1, availableReplicas: 2 }, ['availableReplicas']],
    [{ readyReplicas: -1 }, ['availableReplicas', 'readyReplicas']],
    [{ collisionCount: 0 }, ['collisionCount']],
    [{ collisionCount: null }, ['collisionCount']],
  ])('like %j is refused for %j', (status, fields) => {
    const before = changed(deployment, { status: { collisionCount: 1 } });
    const after = changed(before, { status });
    expect(problemsOfChange(Deployment, validateDeploymentStatusUpdate, before, after)).toEqual(
      fields.map((field) => `Invalid status.${field}`),
    );
  });
});

it('counts replicas that are fully labeled among the replicas of a set', () => {
  const after = changed(replicated, { status: { replicas: 1, fullyLabeledReplicas: 2 } });
  expect(problemsOfChange(ReplicaSet, validateReplicaSetStatusUpdate, replicated, after)).toEqual([
    'Invalid status.fullyLabeledReplicas',
  ]);
});
