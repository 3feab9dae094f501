import type { Toleration } from '../../../kinds/core/node/taint.ts';
import type { Container } from '../../../kinds/core/pod/container.ts';
import type { Pod } from '../../../kinds/core/pod/pod.ts';
import type { PodSpec } from '../../../kinds/core/pod/pod-spec.ts';
import type { PodTemplateSpec } from '../../../kinds/core/pod/pod-template.ts';
import { qosClassOf } from '../../../kinds/core/pod/qos-class.ts';
import { age, selector } from '../../../kinds/printing.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { writeContainers } from './containers.ts';
import { writeAnnotations, writeLabels } from './metadata.ts';
import type { Sheet } from './sheet.ts';
import { describer, type Subject } from './subject.ts';
import { byText, controllerText, momentText } from './texts.ts';
import { writeVolumes } from './volumes.ts';

export const pod = describer<Pod>((sheet, { object, vocabulary, now }) => {
  writePlacement(sheet, object);
  writeLabels(sheet, object.metadata.labels);
  writeAnnotations(sheet, object.metadata.annotations, vocabulary);
  writeStatus(sheet, object, now);
  writeAddresses(sheet, object);
  const { spec, status } = object;
  if ((spec.initContainers ?? []).length > 0) {
    writeContainers(sheet, 'Init Containers', spec.initContainers, status.initContainerStatuses, object);
  }
  writeContainers(sheet, 'Containers', spec.containers, status.containerStatuses, object);
  if ((spec.ephemeralContainers ?? []).length > 0) {
    const ephemeral = spec.ephemeralContainers as unknown as readonly Container[];
    writeContainers(sheet, 'Ephemeral Containers', ephemeral, status.ephemeralContainerStatuses, object);
  }
  writeConditions(sheet, object);
  writeVolumes(sheet, spec.volumes, vocabulary);
  sheet.field('QoS Class', status.qosClass || qosClassOf(spec));
  writeLabels(sheet, spec.nodeSelector, 'Node-Selectors');
  sheet.values('Tolerations', tolerationTexts(spec.tolerations));
  writeSpread(sheet, spec);
});

function writePlacement(sheet: Sheet, { metadata, spec, status }: Pod): void {
  sheet.field('Name', metadata.name ?? '');
  sheet.field('Namespace', metadata.namespace ?? '');
  if (spec.priority !== undefined) sheet.field('Priority', spec.priority);
  if (spec.priorityClassName) sheet.field('Priority Class Name', spec.priorityClassName);
  if (spec.runtimeClassName) sheet.field('Runtime Class Name', spec.runtimeClassName);
  if (spec.serviceAccountName) sheet.field('Service Account', spec.serviceAccountName);
  sheet.field('Node', spec.nodeName ? `${spec.nodeName}/${status.hostIP ?? ''}` : '<none>');
  if (status.startTime) sheet.field('Start Time', momentText(status.startTime));
}

function writeStatus(sheet: Sheet, { metadata, spec, status }: Pod, now: number): void {
  const isOver = status.phase === 'Failed' || status.phase === 'Succeeded';
  if (metadata.deletionTimestamp && !isOver) {
    sheet.field('Status', `Terminating (lasts ${age(metadata.deletionTimestamp, now)})`);
    sheet.field('Termination Grace Period', `${metadata.deletionGracePeriodSeconds ?? 0}s`);
  } else sheet.field('Status', status.phase ?? '');
  if (status.reason) sheet.field('Reason', status.reason);
  if (status.message) sheet.field('Message', status.message);
  const seccomp = spec.securityContext?.seccompProfile;
  if (!seccomp) return;
  sheet.field('SeccompProfile', seccomp.type);
  if (seccomp.type === 'Localhost') sheet.field('LocalhostProfile', seccomp.localhostProfile ?? '');
}

function writeAddresses(sheet: Sheet, { metadata, status }: Pod): void {
  sheet.field('IP', status.podIP ?? '');
  const addresses = status.podIPs ?? [];
  if (addresses.length === 0) sheet.field('IPs', '<none>');
  else sheet.line(0, 'IPs:');
  for (const { ip } of addresses) sheet.field('IP', ip ?? '', 1);
  const controller = controllerText(metadata.ownerReferences);
  if (controller) sheet.field('Controlled By', controller);
  if (status.nominatedNodeName) sheet.field('NominatedNodeName', status.nominatedNodeName);
}

/** Cells of these two tables end with a blank, as scripts know them. */
function writeConditions(sheet: Sheet, { spec, status }: Pod): void {
  const conditions = status.conditions ?? [];
  const gates = (spec.readinessGates ?? []).map(({ conditionType }) => ({
    type: conditionType,
    status: conditions.find(({ type }) => type === conditionType)?.status ?? '<none>',
  }));
  for (const [title, rows] of [
    ['Readiness Gates', gates],
    ['Conditions', conditions],
  ] as const) {
    if (rows.length === 0) continue;
    sheet.line(0, `${title}:`);
    sheet.line(1, 'Type', 'Status');
    for (const row of rows) sheet.line(1, `${row.type} `, `${row.status} `);
  }
}

function tolerationTexts(tolerations: readonly Toleration[] | null | undefined): string[] {
  return [...(tolerations ?? [])].sort((a, b) => byText(a.key ?? '', b.key ?? '')).map(tolerationText);
}

function tolerationText({ key = '', value = '', effect = '', operator, tolerationSeconds }: Toleration): string {
  const what = `${key}${value === '' ? '' : `=${value}`}${effect === '' ? '' : `:${effect}`}`;
  const exists = operator === 'Exists' && value === '' ? [`op=Exists`] : [];
  const seconds = tolerationSeconds === undefined ? '' : ` for ${tolerationSeconds}s`;
  return `${[...(what === '' ? [] : [what]), ...exists].join(' ')}${seconds}`;
}

function writeSpread(sheet: Sheet, { topologySpreadConstraints }: PodSpec, level = 0): void {
  const constraints = [...(topologySpreadConstraints ?? [])].sort((a, b) => byText(a.topologyKey, b.topologyKey));
  if (constraints.length === 0) return;
  const texts = constraints.map(({ topologyKey, whenUnsatisfiable, maxSkew, labelSelector }) => {
    const selected = labelSelector ? ` for selector ${selector(labelSelector)}` : '';
    return `${topologyKey}:${whenUnsatisfiable} when max skew ${maxSkew} is exceeded${selected}`;
  });
  sheet.values('Topology Spread Constraints', texts, level);
}

/** What pods are made from. */
export function writePodTemplate(
  sheet: Sheet,
  template: PodTemplateSpec | null | undefined,
  vocabulary: Vocabulary,
): void {
  sheet.line(0, 'Pod Template:');
  if (!template) {
    sheet.line(1, '<unset>');
    return;
  }
  const { metadata, spec } = template;
  writeLabels(sheet, metadata.labels, 'Labels', 1);
  if (Object.keys(metadata.annotations ?? {}).length > 0) writeAnnotations(sheet, metadata.annotations, vocabulary, 1);
  if (spec.serviceAccountName) sheet.field('Service Account', spec.serviceAccountName, 1);
  if ((spec.initContainers ?? []).length > 0) writeContainers(sheet, 'Init Containers', spec.initContainers, []);
  writeContainers(sheet, 'Containers', spec.containers, []);
  writeVolumes(sheet, spec.volumes, vocabulary, true);
  writeSpread(sheet, spec, 1);
  if (spec.priorityClassName) sheet.field('Priority Class Name', spec.priorityClassName, 1);
  writeLabels(sheet, spec.nodeSelector, 'Node-Selectors', 1);
  sheet.values('Tolerations', tolerationTexts(spec.tolerations), 1);
}

/** `2 Running / 1 Waiting / 0 Succeeded / 0 Failed`: the pods that an object controls. */
export async function podCounts(
  { plane, object }: Subject<{ readonly metadata: Pod['metadata'] }>,
  labelSelector: string,
): Promise<string> {
  const { namespace = '', uid } = object.metadata;
  const pods = await plane.list<Pod>('', 'pods', namespace, { labelSelector });
  const own = pods.filter(({ metadata }) =>
    metadata.ownerReferences?.some((owner) => owner.controller && owner.uid === uid),
  );
  const count = (phase: string): number => own.filter(({ status }) => status.phase === phase).length;
  return `${count('Running')} Running / ${count('Pending')} Waiting / ${count('Succeeded')} Succeeded / ${count('Failed')} Failed`;
}
