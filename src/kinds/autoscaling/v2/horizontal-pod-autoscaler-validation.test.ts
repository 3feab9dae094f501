import { describe, expect, it } from 'vitest';
import { changed, problemsOf, problemsOfChange } from '../../../../test/problems-of.ts';
import { Scale } from '../v1/scale.ts';
import { validateScale } from '../v1/scale-validation.ts';
import { HorizontalPodAutoscaler } from './horizontal-pod-autoscaler.ts';
import {
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerStatusUpdate,
} from './horizontal-pod-autoscaler-validation.ts';

const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } };
const scaler = {
  spec: { minReplicas: 1, maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' }, metrics: [cpu] },
};
const refuses = (spec: unknown, ...causes: string[]) => {
  const document = changed(scaler, { spec });
  expect(problemsOf(HorizontalPodAutoscaler, { validate: validateHorizontalPodAutoscaler }, document)).toEqual(
    causes.sort(),
  );
};

describe('an autoscaler', () => {
  it('may go by all kinds of metrics, at its own pace', () => {
    const metric = { name: 'requests' };
    refuses({
      metrics: [
        cpu,
        { type: 'Pods', pods: { metric, target: { type: 'AverageValue', averageValue: '10' } } },
        { type: 'External', external: { metric, target: { type: 'Value', value: '10' } } },
        {
          type: 'Object',
          object: { metric, describedObject: { kind: 'Service', name: 's' }, target: { type: 'Value', value: '1' } },
        },
        {
          type: 'ContainerResource',
          containerResource: { name: 'cpu', container: 'main', target: { type: 'Utilization', averageUtilization: 1 } },
        },
      ],
      behavior: {
        scaleUp: { stabilizationWindowSeconds: 60, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
      },
    });
  });

  it.each([
    [{ minReplicas: 0 }, 'Invalid spec.minReplicas'],
    [{ maxReplicas: 0 }, 'Invalid spec.maxReplicas'],
    [{ minReplicas: 5 }, 'Invalid spec.maxReplicas'],
    [{ scaleTargetRef: { kind: '' } }, 'Required spec.scaleTargetRef.kind'],
    [{ scaleTargetRef: { kind: 'a/b' } }, 'Invalid spec.scaleTargetRef.kind'],
    [{ scaleTargetRef: { name: '' } }, 'Required spec.scaleTargetRef.name'],
    [{ scaleTargetRef: { name: '..' } }, 'Invalid spec.scaleTargetRef.name'],
  ])('with %j is refused', (spec, cause) => {
    refuses(spec, cause);
  });

  const at = 'spec.metrics[0]';
  const target = { type: 'AverageValue', averageValue: '1' };

  it.each([
    [{ type: 'Odd', resource: cpu.resource }, [`NotSupported ${at}.type`]],
    [{ type: 'Pods' }, [`Required ${at}.pods`]],
    [{ ...cpu, pods: { metric: { name: 'a' }, target } }, [`Forbidden ${at}.pods`]],
    [{ type: 'Pods', resource: cpu.resource }, [`Required ${at}.pods`]],
    [{ type: 'Pods', pods: { metric: { name: '' }, target } }, [`Required ${at}.pods.metric.name`]],
    [{ type: 'Pods', pods: { metric: { name: 'a/b' }, target } }, [`Invalid ${at}.pods.metric.name`]],
    [
      { type: 'Pods', pods: { metric: { name: 'a' }, target: { type: 'Value', value: '1' } } },
      [`Required ${at}.pods.target.averageValue`],
    ],
    [
      { type: 'Pods', pods: { metric: { name: 'a' }, target: { ...target, type: 'Odd' } } },
      [`Invalid ${at}.pods.target.type`],
    ],
    [
      { type: 'Pods', pods: { metric: { name: 'a' }, target: { ...target, averageValue: '0' } } },
      [`Invalid ${at}.pods.target.averageValue`],
    ],
    [{ type: 'Resource', resource: { name: '', target } }, [`Required ${at}.resource.name`]],
    [
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 0 } } },
      [`Invalid ${at}.resource.target.averageUtilization`],
    ],
    [
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } },
      [`Required ${at}.resource.target.averageUtilization`],
    ],
    [
      { type: 'Resource', resource: { name: 'cpu', target: { ...target, averageUtilization: 1 } } },
      [`Forbidden ${at}.resource.target.averageValue`],
    ],
    [
      { type: 'External', external: { metric: { name: 'a' }, target: { ...target, value: '1' } } },
      [`Forbidden ${at}.external.target.value`],
    ],
    [
      {
        type: 'Object',
        object: { metric: { name: 'a' }, describedObject: { kind: 'a', name: 'b' }, target: { type: 'Value' } },
      },
      [`Required ${at}.object.target.averageValue`],
    ],
    [
      { type: 'ContainerResource', containerResource: { name: 'cpu', container: 'A', target } },
      [`Invalid ${at}.containerResource.container`],
    ],
  ])('by %j is refused', (metric, causes) => {
    refuses({ metrics: [metric] }, ...causes);
  });

  const policy = { type: 'Pods', value: 1, periodSeconds: 60 };

  it.each([
    [{ stabilizationWindowSeconds: -1 }, 'Invalid spec.behavior.scaleDown.stabilizationWindowSeconds'],
    [{ stabilizationWindowSeconds: 3601 }, 'Invalid spec.behavior.scaleDown.stabilizationWindowSeconds'],
    [{ selectPolicy: 'Odd' }, 'NotSupported spec.behavior.scaleDown.selectPolicy'],
    [{ policies: [{ ...policy, type: 'Odd' }] }, 'NotSupported spec.behavior.scaleDown.policies[0].type'],
    [{ policies: [{ ...policy, value: 0 }] }, 'Invalid spec.behavior.scaleDown.policies[0].value'],
    [{ policies: [{ ...policy, periodSeconds: 0 }] }, 'Invalid spec.behavior.scaleDown.policies[0].periodSeconds'],
    [{ policies: [{ ...policy, periodSeconds: 1801 }] }, 'Invalid spec.behavior.scaleDown.policies[0].periodSeconds'],
  ])('at the pace %j is refused', (scaleDown, cause) => {
    refuses({ behavior: { scaleDown } }, cause);
  });

  it('reports no negative numbers', () => {
    const report = (status: unknown) =>
      problemsOfChange(
        HorizontalPodAutoscaler,
        validateHorizontalPodAutoscalerStatusUpdate,
        scaler,
        changed(scaler, { status }),
      );
    expect(report({ currentReplicas: 1, desiredReplicas: 2 })).toEqual([]);
    expect(report({ currentReplicas: -1 })).toEqual(['Invalid status.currentReplicas']);
    expect(report({ desiredReplicas: -1 })).toEqual(['Invalid status.desiredReplicas']);
  });
});

it('scales to no negative number', () => {
  expect(problemsOf(Scale, { validate: validateScale }, { spec: { replicas: 0 } })).toEqual([]);
  expect(problemsOf(Scale, { validate: validateScale }, { spec: { replicas: -1 } })).toEqual(['Invalid spec.replicas']);
});
