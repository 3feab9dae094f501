import type { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import { formattedIfSet, oneOf, required } from '../field-rules.ts';
import { dns1123Subdomain } from '../formats.ts';
import { validateLabelSelector } from '../meta/label-selector-validation.ts';
import { validateAnnotations, validateLabels } from '../meta/labels-validation.ts';
import type { ObjectMeta } from '../meta/object-meta.ts';
import { sameValue } from '../same-value.ts';
import type { PersistentVolumeClaimSpec, PersistentVolumeClaimTemplate } from './persistent-volume-claim.ts';
import type { TypedLocalObjectReference } from './references.ts';
import { validatePositiveAmount } from './resource-validation.ts';

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
