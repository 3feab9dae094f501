import type { Pod } from '../../../kinds/core/pod/pod.ts';
import type { PersistentVolume } from '../../../kinds/core/volume/persistent-volume.ts';
import type { PersistentVolumeClaim } from '../../../kinds/core/volume/persistent-volume-claim.ts';
import { accessModes, labels } from '../../../kinds/printing.ts';
import type { CSINode } from '../../../kinds/storage/v1/csi-node.ts';
import type { StorageClass } from '../../../kinds/storage/v1/storage-class.ts';
import { stateText, writeClaim } from './claim.ts';
import { writeClusterIdentity } from './metadata.ts';
import type { Sheet } from './sheet.ts';
import { describer, type Subject } from './subject.ts';
import { listText, momentText, yesNo } from './texts.ts';
import { type Source, writePersistentSource } from './volume-sources.ts';

export const persistentVolume = describer<PersistentVolume>((sheet, { object, vocabulary, now }) => {
  const { metadata, spec, status } = object;
  writeClusterIdentity(sheet, metadata, vocabulary);
  sheet.field('Finalizers', listText(metadata.finalizers));
  const older = metadata.annotations?.[vocabulary.annotations.betaStorageClass];
  sheet.field('StorageClass', older ?? spec.storageClassName ?? '');
  sheet.field('Status', stateText(metadata, status.phase ?? '', now));
  sheet.field('Claim', spec.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '');
  sheet.field('Reclaim Policy', spec.persistentVolumeReclaimPolicy ?? '');
  sheet.field('Access Modes', accessModes(spec.accessModes));
  if (spec.volumeMode !== undefined) sheet.field('VolumeMode', spec.volumeMode);
  sheet.field('Capacity', spec.capacity?.storage ?? '0');
  writeAffinity(sheet, object);
  sheet.field('Message', status.message ?? '');
  sheet.line(0, 'Source:');
  if (!writePersistentSource(sheet, spec as unknown as Source)) sheet.line(1, '<unknown>');
});

function writeAffinity(sheet: Sheet, { spec }: PersistentVolume): void {
  const required = spec.nodeAffinity?.required;
  sheet.field('Node Affinity', required ? '' : '<none>');
  if (!required) return;
  const terms = required.nodeSelectorTerms ?? [];
  sheet.field('Required Terms', terms.length === 0 ? '<none>' : '', 1);
  for (const [at, { matchExpressions }] of terms.entries()) {
    const texts = (matchExpressions ?? []).map(({ key, operator, values }) =>
      requirementText(key, operator.toLowerCase(), values ?? []),
    );
    sheet.values(`Term ${at}`, texts, 2);
  }
}

const requirementText = (key: string, operator: string, values: readonly string[]): string =>
  `${key} ${operator}${values.length === 0 ? '' : ` [${values.join(', ')}]`}`;

export const persistentVolumeClaim = describer<PersistentVolumeClaim>(async (sheet, subject) => {
  const { object, vocabulary, now } = subject;
  writeClaim(sheet, object, vocabulary, 0, now);
  sheet.values('Used By', await usersOf(subject));
  const conditions = object.status.conditions ?? [];
  if (conditions.length === 0) return;
  sheet.line(0, 'Conditions:');
  const rows = conditions.map((one) => [
    `${one.type} `,
    `${one.status} `,
    `${momentText(one.lastProbeTime)} `,
    `${momentText(one.lastTransitionTime)} `,
    `${one.reason ?? ''} `,
    one.message ?? '',
  ]);
  const header = ['Type', 'Status', 'LastProbeTime', 'LastTransitionTime', 'Reason', 'Message'];
  sheet.table(1, header, rows, ['----', '------', '-----------------', '------------------', '------', '-------']);
});

/** Pods that have a volume of a claim, or own it. */
async function usersOf({ object, plane }: Subject<PersistentVolumeClaim>): Promise<string[]> {
  const { name, namespace = '', ownerReferences } = object.metadata;
  const owners = new Set((ownerReferences ?? []).flatMap(({ kind, uid }) => (kind === 'Pod' ? uid : [])));
  const pods = await plane.list<Pod>('', 'pods', namespace);
  const users = pods.filter(
    ({ metadata, spec }) =>
      owners.has(metadata.uid ?? '') ||
      (spec.volumes ?? []).some(({ persistentVolumeClaim: used }) => used?.claimName === name),
  );
  return users.map(({ metadata }) => metadata.name ?? '').sort();
}

export const storageClass = describer<StorageClass>((sheet, { object, vocabulary }) => {
  const { metadata } = object;
  const { annotations = {} } = metadata;
  sheet.field('Name', metadata.name ?? '');
  const { defaultStorageClass, betaDefaultStorageClass } = vocabulary.annotations;
  const isDefault = [defaultStorageClass, betaDefaultStorageClass].some((key) => annotations[key] === 'true');
  sheet.field('IsDefaultClass', isDefault ? 'Yes' : 'No');
  sheet.field('Annotations', labels(annotations));
  sheet.field('Provisioner', object.provisioner);
  sheet.field('Parameters', labels(object.parameters));
  sheet.field('AllowVolumeExpansion', yesNo(object.allowVolumeExpansion));
  const options = object.mountOptions ?? [];
  if (options.length === 0) sheet.field('MountOptions', '<none>');
  else sheet.line(0, 'MountOptions:');
  for (const option of options) sheet.line(1, option);
  if (object.reclaimPolicy !== undefined) sheet.field('ReclaimPolicy', object.reclaimPolicy);
  if (object.volumeBindingMode !== undefined) sheet.field('VolumeBindingMode', object.volumeBindingMode);
  const { allowedTopologies } = object;
  if (!allowedTopologies) return;
  sheet.field('AllowedTopologies', allowedTopologies.length === 0 ? '<none>' : '');
  for (const [at, { matchLabelExpressions }] of allowedTopologies.entries()) {
    const texts = (matchLabelExpressions ?? []).map(({ key, values }) => requirementText(key, 'in', values ?? []));
    sheet.values(`Term ${at}`, texts, 1);
  }
});

export const csiNode = describer<CSINode>((sheet, { object, vocabulary }) => {
  const { metadata, spec } = object;
  writeClusterIdentity(sheet, metadata, vocabulary);
  sheet.field('CreationTimestamp', momentText(metadata.creationTimestamp));
  sheet.line(0, 'Spec:');
  if (!spec.drivers) return;
  sheet.line(1, 'Drivers:');
  for (const { name, nodeID, allocatable, topologyKeys } of spec.drivers) {
    sheet.line(2, `${name}:`);
    sheet.field('Node ID', nodeID, 3);
    if (allocatable?.count !== undefined) {
      sheet.line(3, 'Allocatables:');
      sheet.field('Count', allocatable.count, 4);
    }
    if (topologyKeys) sheet.field('Topology Keys', listText(topologyKeys), 3);
  }
});
