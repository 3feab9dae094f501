import { formattedIfSet, IMMUTABLE, oneOf, required, unchanged } from '../../../meta/field-rules.ts';
import { dns1123Subdomain } from '../../../meta/formats.ts';
import { validateLabelSelector } from '../../../meta/label-selector-validation.ts';
import { validateAnnotations, validateLabels } from '../../../meta/labels-validation.ts';
import type { ObjectMeta } from '../../../meta/object-meta.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { sameValue } from '../../../schema/same-value.ts';
import { differenceText } from '../../difference-text.ts';
import type { TypedLocalObjectReference } from '../references.ts';
import { compareAmounts, isNegative, validatePositiveAmount } from '../resource-validation.ts';
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimTemplate,
} from './persistent-volume-claim.ts';

export const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'];
export const VOLUME_MODES = ['Block', 'Filesystem'];

/** What a claim asks for, in a claim and in the templates of claims. */
export function validateClaimSpec(spec: PersistentVolumeClaimSpec, path: Path, problems: Problems): void {
  required(problems, path, 'accessModes', spec.accessModes, 'at least 1 access mode is required');
  validateLabelSelector(spec.selector, path.child('selector'), problems);
  for (const mode of spec.accessModes ?? []) oneOf(problems, path, 'accessModes', mode, ACCESS_MODES);
  const storage = spec.resources.requests?.storage;
  const storagePath = path.child('resources').key('storage');
  if (storage === undefined) problems.required(storagePath);
  else validatePositiveAmount(storage, storagePath, problems);
  formattedIfSet(problems, path, 'storageClassName', spec.storageClassName, dns1123Subdomain);
  oneOf(problems, path, 'volumeMode', spec.volumeMode, VOLUME_MODES);
  const { dataSource, dataSourceRef } = spec;
  if (dataSource) validateDataSource(dataSource, path.child('dataSource'), problems);
  if (dataSourceRef) validateDataSource(dataSourceRef, path.child('dataSourceRef'), problems);
  if (dataSource && dataSourceRef && !sameValue(dataSource, dataSourceRef)) {
    problems.invalid(path, path.child('dataSource').toString(), 'must match dataSourceRef');
  }
}

function validateDataSource(source: TypedLocalObjectReference, path: Path, problems: Problems): void {
  required(problems, path, 'name', source.name);
  required(problems, path, 'kind', source.kind);
  if (source.apiGroup || source.kind === 'PersistentVolumeClaim') return;
  problems.invalid(path, source.kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
}

/** A claim to be made later: all its metadata that counts are labels and annotations. */
export function validateClaimTemplate(template: PersistentVolumeClaimTemplate, path: Path, problems: Problems): void {
  const metadata = path.child('metadata');
  validateAnnotations(template.metadata.annotations, metadata.child('annotations'), problems);
  validateLabels(template.metadata.labels, metadata.child('labels'), problems);
  validateNothingElse(template.metadata, metadata, problems);
  validateClaimSpec(template.spec, path.child('spec'), problems);
}

function validateNothingElse(
  { labels: _, annotations: __, ...others }: ObjectMeta,
  path: Path,
  problems: Problems,
): void {
  for (const [field, value] of Object.entries(others)) {
    // Clients know the path of this one field by another spelling.
    const name = field === 'uid' ? 'uID' : field;
    if (value && !(Array.isArray(value) && value.length === 0)) problems.forbidden(path.child(name), 'cannot be set');
  }
}

const ROOT = Path.of('');
const SPEC = Path.of('spec');
const STATUS = Path.of('status');

export function validatePersistentVolumeClaim({ spec }: PersistentVolumeClaim, problems: Problems): void {
  validateClaimSpec(spec, SPEC, problems);
}

const storageOf = ({ resources }: PersistentVolumeClaimSpec): string => resources.requests?.storage ?? '0';

const IMMUTABLE_SPEC = 'spec is immutable after creation except resources.requests for bound claims';

/** A claim gets its volume once, and once it has it may ask for more room. */
export function validatePersistentVolumeClaimUpdate(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  problems: Problems,
  { vocabulary }: HookContext,
): void {
  const { betaStorageClass } = vocabulary.annotations;
  const moved = movesClassToField(claim, old, betaStorageClass);
  if (!moved) validateClassAnnotation(claim, old, betaStorageClass, problems);
  const { storageClassName: _, ...others } = claim.spec;
  const spec = moved ? others : claim.spec;
  const fixed = withoutMutable(spec, old.spec, claim.status.phase === 'Bound');
  if (!sameValue(fixed, old.spec)) {
    problems.forbidden(SPEC, `${IMMUTABLE_SPEC}\n${differenceText(SPEC.toString(), old.spec, fixed)}`);
  }
  if (compareAmounts(storageOf(claim.spec), storageOf(old.spec)) < 0) {
    const path = SPEC.child('resources').child('requests').child('storage');
    problems.forbidden(path, 'field can not be less than previous value');
  }
  // Clients know this path without `spec`.
  unchanged(problems, ROOT, 'volumeMode', claim.spec.volumeMode, old.spec.volumeMode);
}

/** `spec` with the old values of what may change. */
function withoutMutable(spec: PersistentVolumeClaimSpec, old: PersistentVolumeClaimSpec, isBound: boolean): unknown {
  const { volumeName = '', resources } = spec;
  const requests = isBound ? { ...resources.requests, storage: storageOf(old) } : resources.requests;
  return {
    ...spec,
    volumeName: old.volumeName ? volumeName : undefined,
    resources: { ...resources, requests },
  };
}

/** The class of a claim was once an annotation; a claim may move it to the field. */
function movesClassToField(
  { metadata, spec }: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  key: string,
): boolean {
  const before = old.metadata.annotations?.[key];
  const now = metadata.annotations?.[key];
  return (
    before !== undefined &&
    old.spec.storageClassName === undefined &&
    spec.storageClassName === before &&
    (now === undefined || now === before)
  );
}

function validateClassAnnotation(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  key: string,
  problems: Problems,
): void {
  const now = claim.metadata.annotations?.[key] ?? '';
  if (now === (old.metadata.annotations?.[key] ?? '')) return;
  problems.invalid(Path.of('metadata', 'annotations').child(key), now, IMMUTABLE);
}

export function validatePersistentVolumeClaimStatusUpdate(
  { status }: PersistentVolumeClaim,
  _old: PersistentVolumeClaim,
  problems: Problems,
): void {
  for (const [name, amount] of Object.entries(status.capacity ?? {})) {
    if (!isNegative(amount)) continue;
    problems.invalid(STATUS.child('capacity').key(name), amount, 'must be a valid resource quantity');
  }
}
