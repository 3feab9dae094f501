import { ObjectMeta } from '../../../meta/object-meta.ts';
import type { Draft } from '../../../schema/draft.ts';
import { f, type Infer, kind } from '../../../schema/schema.ts';
import type { Container } from './container.ts';
import { PodSpec } from './pod-spec.ts';
import { PodStatus } from './pod-status.ts';

/** What a container may use at most is also what it asks for, where it does not say. */
function requestLimits(containers: Draft<readonly Container[]>): void {
  for (const { resources } of containers) {
    if (resources.limits) resources.requests = { ...resources.limits, ...resources.requests };
  }
}

export const Pod = kind(
  'core.v1.Pod',
  {
    metadata: f(1, ObjectMeta, 'Standard object metadata: name, namespace, labels, annotations, owners.'),
    spec: f(2, PodSpec, 'What the pod runs and how.'),
    status: f(3, PodStatus, 'State of the pod: its phase, addresses and containers. Set by the platform.'),
  },
  {
    description:
      'One or more containers that run together on one node and share network and volumes. Usually created by a controller.',
    defaults({ spec }) {
      spec.enableServiceLinks ??= true;
      requestLimits(spec.containers ?? []);
      requestLimits(spec.initContainers ?? []);
    },
  },
);
export type Pod = Infer<typeof Pod>;
