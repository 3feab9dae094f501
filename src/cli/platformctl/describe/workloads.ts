import type { DaemonSet } from '../../../kinds/apps/daemon-set.ts';
import type { Deployment } from '../../../kinds/apps/deployment.ts';
import type { ReplicaSet } from '../../../kinds/apps/replica-set.ts';
import type { StatefulSet } from '../../../kinds/apps/stateful-set.ts';
import type { ReplicationController } from '../../../kinds/core/replication/replication-controller.ts';
import { labels, selector, selectorText } from '../../../kinds/printing.ts';
import { currentReplicaSet, replicaSetsOf } from '../rollout/replica-sets.ts';
import { claimClass } from './claim.ts';
import { writeAnnotations, writeLabels } from './metadata.ts';
import { podCounts, writePodTemplate } from './pods.ts';
import type { Sheet } from './sheet.ts';
import { describer, type Subject } from './subject.ts';
import { controllerText, listText, momentText } from './texts.ts';

export const deployment = describer<Deployment>(async (sheet, subject) => {
  const { object, vocabulary } = subject;
  const { metadata, spec, status } = object;
  sheet.field('Name', metadata.name ?? '');
  sheet.field('Namespace', metadata.namespace ?? '');
  sheet.field('CreationTimestamp', momentText(metadata.creationTimestamp));
  writeLabels(sheet, metadata.labels);
  writeAnnotations(sheet, metadata.annotations, vocabulary);
  sheet.field('Selector', selectorText(spec.selector) ?? '');
  const counts = [
    `${spec.replicas ?? 0} desired`,
    `${status.updatedReplicas ?? 0} updated`,
    `${status.replicas ?? 0} total`,
    `${status.availableReplicas ?? 0} available`,
    `${status.unavailableReplicas ?? 0} unavailable`,
  ];
  sheet.field('Replicas', counts.join(' | '));
  sheet.field('StrategyType', spec.strategy.type ?? '');
  sheet.field('MinReadySeconds', spec.minReadySeconds ?? 0);
  const rolling = spec.strategy.rollingUpdate;
  if (rolling) {
    const bounds = `${rolling.maxUnavailable ?? 0} max unavailable, ${rolling.maxSurge ?? 0} max surge`;
    sheet.field('RollingUpdateStrategy', bounds);
  }
  writePodTemplate(sheet, spec.template, vocabulary);
  writeShortConditions(sheet, status.conditions);
  await writeReplicaSets(sheet, subject);
});

async function writeReplicaSets(sheet: Sheet, { plane, object }: Subject<Deployment>): Promise<void> {
  const sets = await replicaSetsOf(plane, object).catch((): ReplicaSet[] => []);
  if (sets.length === 0) return;
  const current = currentReplicaSet(sets, object);
  const shown = (some: readonly ReplicaSet[]): string =>
    some
      .map(
        ({ metadata, spec, status }) => `${metadata.name} (${status.replicas}/${spec.replicas ?? 0} replicas created)`,
      )
      .join(', ') || '<none>';
  sheet.field('OldReplicaSets', shown(sets.filter((set) => set !== current)));
  sheet.field('NewReplicaSet', shown(current ? [current] : []));
}

interface ShortCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}

function writeShortConditions(sheet: Sheet, conditions: readonly ShortCondition[] | null | undefined): void {
  if (!conditions || conditions.length === 0) return;
  sheet.line(0, 'Conditions:');
  const rows = conditions.map(({ type, status, reason }) => [`${type} `, status, reason ?? '']);
  sheet.table(1, ['Type', 'Status', 'Reason'], rows);
}

export const replicaSet = describer<ReplicaSet>(async (sheet, subject) => {
  const { metadata, spec, status } = subject.object;
  sheet.field('Name', metadata.name ?? '');
  sheet.field('Namespace', metadata.namespace ?? '');
  sheet.field('Selector', selector(spec.selector));
  writeLabels(sheet, metadata.labels);
  writeAnnotations(sheet, metadata.annotations, subject.vocabulary);
  const controller = controllerText(metadata.ownerReferences);
  if (controller) sheet.field('Controlled By', controller);
  sheet.field('Replicas', `${status.replicas} current / ${spec.replicas ?? 0} desired`);
  const counts = await podCounts(subject, selectorText(spec.selector) ?? '').catch(
    (error: Error) => `error in fetching pods: ${error.message}`,
  );
  sheet.field('Pods Status', counts);
  writePodTemplate(sheet, spec.template, subject.vocabulary);
  writeShortConditions(sheet, status.conditions);
});

export const replicationController = describer<ReplicationController>(async (sheet, subject) => {
  const { metadata, spec, status } = subject.object;
  const counts = await podCounts(subject, selectorText(spec.selector && { matchLabels: spec.selector }) ?? '');
  sheet.field('Name', metadata.name ?? '');
  sheet.field('Namespace', metadata.namespace ?? '');
  sheet.field('Selector', labels(spec.selector));
  writeLabels(sheet, metadata.labels);
  writeAnnotations(sheet, metadata.annotations, subject.vocabulary);
  sheet.field('Replicas', `${status.replicas} current / ${spec.replicas ?? 0} desired`);
  sheet.field('Pods Status', counts);
  writePodTemplate(sheet, spec.template, subject.vocabulary);
  writeShortConditions(sheet, status.conditions);
});

export const daemonSet = describer<DaemonSet>(async (sheet, subject) => {
  const { metadata, spec, status } = subject.object;
  const selected = selectorText(spec.selector) ?? '';
  const counts = await podCounts(subject, selected);
  sheet.field('Name', metadata.name ?? '');
  sheet.field('Selector', selected);
  sheet.field('Node-Selector', labels(spec.template.spec.nodeSelector));
  writeLabels(sheet, metadata.labels);
  writeAnnotations(sheet, metadata.annotations, subject.vocabulary);
  sheet.line(0, `Desired Number of Nodes Scheduled: ${status.desiredNumberScheduled}`);
  sheet.line(0, `Current Number of Nodes Scheduled: ${status.currentNumberScheduled}`);
  sheet.line(0, `Number of Nodes Scheduled with Up-to-date Pods: ${status.updatedNumberScheduled ?? 0}`);
  sheet.line(0, `Number of Nodes Scheduled with Available Pods: ${status.numberAvailable ?? 0}`);
  sheet.line(0, `Number of Nodes Misscheduled: ${status.numberMisscheduled}`);
  sheet.field('Pods Status', counts);
  writePodTemplate(sheet, spec.template, subject.vocabulary);
});

export const statefulSet = describer<StatefulSet>(async (sheet, subject) => {
  const { metadata, spec, status } = subject.object;
  const selected = selectorText(spec.selector) ?? '';
  const counts = await podCounts(subject, selected);
  sheet.field('Name', metadata.name ?? '');
  sheet.field('Namespace', metadata.namespace ?? '');
  sheet.field('CreationTimestamp', momentText(metadata.creationTimestamp));
  sheet.field('Selector', selected);
  writeLabels(sheet, metadata.labels);
  writeAnnotations(sheet, metadata.annotations, subject.vocabulary);
  sheet.field('Replicas', `${spec.replicas ?? 0} desired | ${status.replicas} total`);
  sheet.field('Update Strategy', spec.updateStrategy.type ?? '');
  const { partition, maxUnavailable } = spec.updateStrategy.rollingUpdate ?? {};
  if (partition !== undefined) {
    sheet.field('Partition', partition, 1);
    if (maxUnavailable !== undefined) sheet.field('MaxUnavailable', maxUnavailable, 1);
  }
  sheet.field('Pods Status', counts);
  writePodTemplate(sheet, spec.template, subject.vocabulary);
  writeClaimTemplates(sheet, subject);
});

function writeClaimTemplates(sheet: Sheet, { object, vocabulary }: Subject<StatefulSet>): void {
  const templates = object.spec.volumeClaimTemplates ?? [];
  if (templates.length === 0) {
    sheet.field('Volume Claims', '<none>');
    return;
  }
  sheet.line(0, 'Volume Claims:');
  for (const template of templates) {
    sheet.field('Name', template.metadata.name ?? '', 1);
    sheet.field('StorageClass', claimClass(template, vocabulary), 1);
    writeLabels(sheet, template.metadata.labels, 'Labels', 1);
    writeLabels(sheet, template.metadata.annotations, 'Annotations', 1);
    sheet.field('Capacity', template.spec.resources?.requests?.storage ?? '<default>', 1);
    sheet.field('Access Modes', listText(template.spec.accessModes), 1);
  }
}
