import type { PodSpec } from '../../kinds/core/pod/pod-spec.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import type { CheckedPod } from './check.ts';

type Annotated = { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
type Template = Annotated & { readonly spec?: PodSpec };
type Workload = ApiObject & {
  readonly spec?: { readonly template?: Template; readonly jobTemplate?: { readonly spec?: { template?: Template } } };
  readonly template?: Template;
};

const checked = ({ metadata, spec }: Template): CheckedPod | undefined =>
  spec && { annotations: metadata?.annotations ?? {}, spec };

const fromSpec = ({ spec }: Workload): Template | undefined => spec?.template;

/** Where kinds that make pods hold the template, by group and plural. */
const TEMPLATES: Readonly<Record<string, (workload: Workload) => Template | undefined>> = {
  '/podtemplates': ({ template }) => template,
  '/replicationcontrollers': fromSpec,
  'apps/replicasets': fromSpec,
  'apps/deployments': fromSpec,
  'apps/statefulsets': fromSpec,
  'apps/daemonsets': fromSpec,
  'batch/jobs': fromSpec,
  'batch/cronjobs': ({ spec }) => spec?.jobTemplate?.spec?.template,
};

export const makesPods = (group: string, plural: string): boolean => Object.hasOwn(TEMPLATES, `${group}/${plural}`);

/** The pods that a workload would make; undefined when it has no template. */
export function templateOf(group: string, plural: string, object: ApiObject): CheckedPod | undefined {
  const template = TEMPLATES[`${group}/${plural}`]?.(object);
  return template && checked(template);
}

export const podOf = (pod: ApiObject & { readonly spec: PodSpec }): CheckedPod => ({
  annotations: pod.metadata.annotations ?? {},
  spec: pod.spec,
});
