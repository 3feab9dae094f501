import type { PersistentVolumeClaim } from '../../../kinds/core/volume/persistent-volume-claim.ts';
import { accessModes, age } from '../../../kinds/printing.ts';
import type { ObjectMeta } from '../../../meta/object-meta.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { writeAnnotations, writeLabels } from './metadata.ts';
import type { Sheet } from './sheet.ts';
import { listText } from './texts.ts';

/** A claim of a volume, or the template of one, which has no state. */
export interface ClaimLike {
  readonly metadata: ObjectMeta;
  readonly spec: PersistentVolumeClaim['spec'];
  readonly status?: PersistentVolumeClaim['status'];
}

/** The class of a claim: an annotation that is older than the field goes first. */
export const claimClass = ({ metadata, spec }: ClaimLike, vocabulary: Vocabulary): string =>
  metadata.annotations?.[vocabulary.annotations.betaStorageClass] ?? spec.storageClassName ?? '';

/** `now` is given for a claim, and not for a template. */
export function writeClaim(sheet: Sheet, claim: ClaimLike, vocabulary: Vocabulary, level = 0, now?: number): void {
  const { metadata, spec, status } = claim;
  if (now !== undefined) {
    sheet.field('Name', metadata.name ?? '', level);
    sheet.field('Namespace', metadata.namespace ?? '', level);
  }
  sheet.field('StorageClass', claimClass(claim, vocabulary), level);
  if (now !== undefined) sheet.field('Status', stateText(metadata, status?.phase ?? '', now), level);
  sheet.field('Volume', spec.volumeName ?? '', level);
  writeLabels(sheet, metadata.labels, 'Labels', level);
  writeAnnotations(sheet, metadata.annotations, vocabulary, level);
  if (now !== undefined) sheet.field('Finalizers', listText(metadata.finalizers), level);
  const isBound = Boolean(spec.volumeName);
  sheet.field('Capacity', isBound ? (status?.capacity?.storage ?? '0') : '', level);
  sheet.field('Access Modes', isBound ? accessModes(status?.accessModes) : '', level);
  if (spec.volumeMode) sheet.field('VolumeMode', spec.volumeMode, level);
  if (!spec.dataSource) return;
  sheet.line(level, 'DataSource:');
  if (typeof spec.dataSource.apiGroup === 'string') sheet.field('APIGroup', spec.dataSource.apiGroup, level + 1);
  sheet.field('Kind', spec.dataSource.kind, level + 1);
  sheet.field('Name', spec.dataSource.name, level + 1);
}

/** The state of an object, or that it is on its way out. */
export const stateText = ({ deletionTimestamp }: ObjectMeta, phase: string, now: number): string =>
  deletionTimestamp ? `Terminating (lasts ${age(deletionTimestamp, now)})` : phase;
