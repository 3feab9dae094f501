import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../meta/dependents.ts';
import { dns1123Label, NEGATIVE, qualifiedName } from '../meta/formats.ts';
import { validateAnnotations, validateLabels } from '../meta/labels-validation.ts';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../meta/object-meta.ts';
import type { Path } from '../schema/path.ts';
import type { Problems } from '../schema/problems.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { HookContext, ResourceType } from './resource-type.ts';

type NamedType = Pick<ResourceType, 'group' | 'namespaced' | 'nameRule'>;

/** Every problem of an object's metadata by itself, on create and on update. */
export function validateMetadata(
  meta: ObjectMeta,
  type: NamedType,
  problems: Problems,
  context: Pick<HookContext, 'vocabulary'>,
): void {
  validateNames(meta, type, problems);
  if ((meta.generation ?? 0) < 0) problems.invalid('metadata.generation', meta.generation, NEGATIVE);
  validateLabels(meta.labels, 'metadata.labels', problems);
  validateAnnotations(meta.annotations, 'metadata.annotations', problems);
  if (meta.ownerReferences) validateOwners(meta.ownerReferences, problems);
  if (meta.finalizers) validateFinalizers(meta.finalizers, type, problems, context.vocabulary);
  meta.managedFields?.forEach((entry, at) => {
    validateManagedFields(entry, at, problems);
  });
}

function validateNames(meta: ObjectMeta, { namespaced, nameRule }: NamedType, problems: Problems): void {
  const { generateName, name, namespace } = meta;
  if (generateName) {
    const problem = nameRule(generateName, true);
    if (problem !== undefined) problems.invalid('metadata.generateName', generateName, problem);
  }
  if (!name) problems.required('metadata.name', 'name or generateName is required');
  else {
    const problem = nameRule(name, false);
    if (problem !== undefined) problems.invalid('metadata.name', name, problem);
  }
  if (!namespaced) {
    if (namespace) problems.forbidden('metadata.namespace', 'not allowed on this type');
  } else if (!namespace) problems.required('metadata.namespace');
  else {
    const problem = dns1123Label(namespace);
    if (problem !== undefined) problems.invalid('metadata.namespace', namespace, problem);
  }
}

/** Problems are noted without an index: that is how clients know them. */
const OWNERS = 'metadata.ownerReferences';

function validateOwners(owners: readonly OwnerReference[], problems: Problems): void {
  let controller: OwnerReference | undefined;
  for (const owner of owners) {
    validateOwner(owner, problems);
    if (!owner.controller) continue;
    if (controller) {
      problems.invalid(
        OWNERS,
        owners,
        `Only one reference can have Controller set to true. Found "true" in references for ${controller.name} and ${owner.name}`,
      );
    }
    controller = owner;
  }
}

/** `group/version` or `version`, and the version is not empty. */
function hasVersion(apiVersion: string): boolean {
  const slash = apiVersion.indexOf('/');
  if (slash >= 0 && apiVersion.includes('/', slash + 1)) return false;
  return slash < apiVersion.length - 1;
}

function validateOwner(owner: OwnerReference, problems: Problems): void {
  const { apiVersion, kind, name, uid } = owner;
  if (!hasVersion(apiVersion)) problems.invalid(`${OWNERS}.apiVersion`, apiVersion, 'version must not be empty');
  if (!kind) problems.invalid(`${OWNERS}.kind`, kind, 'kind must not be empty');
  if (!name) problems.invalid(`${OWNERS}.name`, name, 'name must not be empty');
  if (!uid) problems.invalid(`${OWNERS}.uid`, uid, 'uid must not be empty');
  if (apiVersion === 'v1' && kind === 'Event') {
    problems.invalid(OWNERS, owner, '/v1, Kind=Event is disallowed from being an owner');
  }
}

const FINALIZERS = 'metadata.finalizers';

function validateFinalizers(finalizers: readonly string[], type: NamedType, problems: Problems, v: Vocabulary): void {
  finalizers.forEach((finalizer, at) => {
    const problem = qualifiedName(finalizer);
    if (problem !== undefined) problems.invalid(FINALIZERS, finalizer, problem);
    if (!isStandardOrQualified(finalizer, v) && wantsQualifiedFinalizers(type.group, v)) {
      problems.invalid(`${FINALIZERS}[${at}]`, finalizer, UNQUALIFIED_FINALIZER);
    }
  });
  if (finalizers.includes(ORPHAN_FINALIZER) && finalizers.includes(FOREGROUND_FINALIZER)) {
    problems.invalid(FINALIZERS, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set');
  }
}

export const UNQUALIFIED_FINALIZER = 'name is neither a standard finalizer name nor is it fully qualified';

/** One of the few names that need no domain before them, or a name that has one. */
export const isStandardOrQualified = (finalizer: string, { finalizers }: Vocabulary): boolean =>
  finalizer.includes('/') ||
  finalizer === finalizers.namespace ||
  finalizer === ORPHAN_FINALIZER ||
  finalizer === FOREGROUND_FINALIZER;

/** Custom kinds and a few built-in groups take any finalizer that is a name. */
function wantsQualifiedFinalizers(group: string, { groups }: Vocabulary): boolean {
  const { certificates, discovery, flowcontrol, networking, scheduling, storage } = groups;
  const strict = ['', 'apps', 'autoscaling', 'batch', 'policy'];
  return [...strict, certificates, discovery, flowcontrol, networking, scheduling, storage].includes(group);
}

const LONGEST_MANAGER = 128;
const LONGEST_SUBRESOURCE = 256;

function validateManagedFields(entry: ManagedFieldsEntry, at: number, problems: Problems): void {
  const { operation, fieldsType, manager, subresource = '' } = entry;
  const field = (name: string): string => `metadata.managedFields[${at}].${name}`;
  if (operation !== 'Apply' && operation !== 'Update') {
    problems.invalid(field('operation'), operation ?? '', 'must be `Apply` or `Update`');
  }
  if (fieldsType && fieldsType !== 'FieldsV1') problems.invalid(field('fieldsType'), fieldsType, 'must be `FieldsV1`');
  if (manager) validateFieldManager(manager, field('manager'), problems);
  if (Buffer.byteLength(subresource) > LONGEST_SUBRESOURCE) problems.tooLong(field('subresource'), LONGEST_SUBRESOURCE);
}

const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;
/** To make the above ready takes long; most names have no use for it. */
const PLAIN = /^[ -~]*$/;

/** The name of a manager of fields, wherever it is given: short, and fit to print. */
export function validateFieldManager(manager: string, path: Path | string, problems: Problems): void {
  if (Buffer.byteLength(manager) > LONGEST_MANAGER) problems.tooLong(path, LONGEST_MANAGER);
  const odd = PLAIN.test(manager) ? undefined : UNPRINTABLE.exec(manager);
  if (!odd) return;
  const code = (odd[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const position = Buffer.byteLength(manager.slice(0, odd.index));
  problems.invalid(path, manager, `invalid character U+${code} (at position ${position})`);
}

/** Fields that a write cannot change. What a client left out has been taken over from `old` or counts as kept. */
const FIXED = ['name', 'namespace', 'uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

/** Every problem of a change of metadata; the metadata itself has been through `validateMetadata`. */
export function validateMetadataUpdate(meta: ObjectMeta, old: ObjectMeta, problems: Problems): void {
  if (old.deletionTimestamp) validateNoNewFinalizers(meta, old, problems);
  if ((meta.generation ?? 0) < (old.generation ?? 0)) {
    problems.invalid('metadata.generation', meta.generation ?? 0, 'must not be decremented');
  }
  for (const field of FIXED) {
    const value = meta[field];
    if (value === undefined || value === null || value === (old[field] ?? undefined)) continue;
    problems.invalid(`metadata.${field}`, value, 'field is immutable');
  }
}

function validateNoNewFinalizers(meta: ObjectMeta, old: ObjectMeta, problems: Problems): void {
  const before = new Set(old.finalizers);
  const added = meta.finalizers?.filter((finalizer) => !before.has(finalizer)) ?? [];
  if (added.length === 0) return;
  problems.forbidden(
    FINALIZERS,
    `no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`,
  );
}
