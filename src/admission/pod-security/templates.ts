import { DaemonSet } from '../../kinds/apps/daemon-set.ts';
import { Deployment } from '../../kinds/apps/deployment.ts';
import { ReplicaSet } from '../../kinds/apps/replica-set.ts';
import { StatefulSet } from '../../kinds/apps/stateful-set.ts';
import { CronJob } from '../../kinds/batch/cron-job.ts';
import { Job } from '../../kinds/batch/job.ts';
import type { PodSpec } from '../../kinds/core/pod/pod-spec.ts';
import { PodTemplate } from '../../kinds/core/pod/pod-template.ts';
import { ReplicationController } from '../../kinds/core/replication/replication-controller.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import type { Struct } from '../../schema/schema.ts';
import type { ValidatingRule } from '../plugin.ts';
import { onKind, type WriteRequest } from '../rule.ts';
import type { CheckedPod } from './check.ts';

interface Template {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: PodSpec;
}

type CheckTemplate = (request: AdmissionRequest, pod: CheckedPod) => void;

/** Rules about every kind that makes pods; `check` is given what the pods would be. */
export const onTemplates = (check: CheckTemplate): readonly ValidatingRule[] => [
  onTemplate(PodTemplate, ({ template }) => template, check),
  onTemplate(ReplicationController, fromSpec, check),
  onTemplate(ReplicaSet, fromSpec, check),
  onTemplate(Deployment, fromSpec, check),
  onTemplate(StatefulSet, fromSpec, check),
  onTemplate(DaemonSet, fromSpec, check),
  onTemplate(Job, fromSpec, check),
  onTemplate(CronJob, ({ spec }) => fromSpec(spec.jobTemplate), check),
];

const fromSpec = ({ spec }: { readonly spec?: { readonly template?: Template } }): Template | undefined =>
  spec?.template;

function onTemplate<T extends ApiObject>(
  kind: Struct<T>,
  templateOf: (workload: T) => Template | undefined,
  check: CheckTemplate,
): ValidatingRule {
  const act = (request: WriteRequest<T>): void => {
    const { metadata, spec } = templateOf(request.object) ?? {};
    if (spec) check(request, { annotations: metadata?.annotations ?? {}, spec });
  };
  return onKind(kind).validate({ write: act });
}

export const podOf = (pod: ApiObject & { readonly spec: PodSpec }): CheckedPod => ({
  annotations: pod.metadata.annotations ?? {},
  spec: pod.spec,
});
