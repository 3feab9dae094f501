import { forbidden, formatted, formattedIfSet, named, oneOf, required, unchanged } from '../../../meta/field-rules.ts';
import { dns1123Label, dns1123Subdomain, noBacksteps } from '../../../meta/formats.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { sameValue } from '../../../schema/same-value.ts';
import { validateNodeSelector } from '../pod/scheduling-validation.ts';
import type { SecretReference } from '../references.ts';
import { validatePositiveAmount } from '../resource-validation.ts';
import type { CSIPersistentVolumeSource } from './driver-volumes.ts';
import type { LocalVolumeSource } from './local-volumes.ts';
import type { PersistentVolume, PersistentVolumeSpec } from './persistent-volume.ts';
import { ACCESS_MODES, VOLUME_MODES } from './persistent-volume-claim-validation.ts';
import type {
  AzureFilePersistentVolumeSource,
  CinderPersistentVolumeSource,
  GlusterfsPersistentVolumeSource,
  ISCSIPersistentVolumeSource,
  PersistentVolumeSource,
  StorageOSPersistentVolumeSource,
} from './persistent-volume-sources.ts';
import {
  ISCSI_NAME_TOO_LONG,
  isIscsiNameTooLong,
  requires,
  type SourceRules,
  validateAwsElasticBlockStore,
  validateAzureDisk,
  validateCinder,
  validateDriverName,
  validateFc,
  validateFlexVolume,
  validateFlocker,
  validateGcePersistentDisk,
  validateHostPath,
  validateIscsi,
  validateNfs,
  validateOneSource,
  validateQuobyte,
  validateStorageOs,
} from './volume-sources-validation.ts';

const SPEC = Path.of('spec');

export function validatePersistentVolume(volume: PersistentVolume, problems: Problems, context: HookContext): void {
  const { metadata, spec } = volume;
  validateModes(spec, SPEC, problems);
  validateCapacity(spec, problems);
  if (spec.nodeAffinity) validateNodes(spec.nodeAffinity.required, problems);
  validateOneSource<PersistentVolumeSource, SourceName>(spec, SOURCE_NAMES, RULES, SPEC, problems, context);
  validateLocal(spec, problems);
  const { iscsi, hostPath, persistentVolumeReclaimPolicy: policy } = spec;
  if (iscsi && isIscsiNameTooLong(metadata.name ?? '', iscsi)) {
    problems.invalid(SPEC.child('iscsi').child('targetportal'), iscsi.targetPortal, ISCSI_NAME_TOO_LONG);
  }
  if (policy === 'Recycle' && hostPath && isRoot(hostPath.path)) {
    const why = "may not be 'recycle' for a hostPath mount of '/'";
    problems.forbidden(SPEC.child('persistentVolumeReclaimPolicy'), why);
  }
  formattedIfSet(problems, SPEC, 'storageClassName', spec.storageClassName, dns1123Subdomain);
  oneOf(problems, SPEC, 'volumeMode', spec.volumeMode, VOLUME_MODES);
}

function validateModes({ accessModes }: PersistentVolumeSpec, path: Path, problems: Problems): void {
  required(problems, path, 'accessModes', accessModes);
  for (const mode of accessModes ?? []) oneOf(problems, path, 'accessModes', mode, ACCESS_MODES);
}

/** A volume has a size and nothing else to give. */
function validateCapacity({ capacity = {} }: PersistentVolumeSpec, problems: Problems): void {
  const path = SPEC.child('capacity');
  const names = Object.keys(capacity);
  if (names.length === 0) problems.required(path);
  if (names.length !== 1 || names[0] !== 'storage') problems.notSupported(path, capacity, ['storage']);
  for (const name of names) validatePositiveAmount(capacity[name] ?? '0', path.key(name), problems);
}

type NodeSelector = NonNullable<PersistentVolumeSpec['nodeAffinity']>['required'];

function validateNodes(selector: NodeSelector, problems: Problems): void {
  const path = SPEC.child('nodeAffinity').child('required');
  if (selector) validateNodeSelector(selector, path, problems);
  else problems.required(path, 'must specify required node constraints');
}

/** What is on one machine can be reached from there only. */
function validateLocal({ local, nodeAffinity }: PersistentVolumeSpec, problems: Problems): void {
  if (local && !nodeAffinity) problems.required(SPEC.child('nodeAffinity'), 'Local volume requires node affinity');
}

/** `/` by any spelling. */
const isRoot = (path: string): boolean => /^\/(?:\.?\/)*\.?$/.test(path);

type SourceName = keyof PersistentVolumeSource & string;

/** In the order in which they count. */
const SOURCE_NAMES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const satisfies readonly SourceName[];

const RULES: SourceRules<PersistentVolumeSource, SourceName> = {
  hostPath: validateHostPath,
  gcePersistentDisk: validateGcePersistentDisk,
  awsElasticBlockStore: validateAwsElasticBlockStore,
  glusterfs: validateGlusterfs,
  flocker: validateFlocker,
  nfs: validateNfs,
  rbd: requires('monitors', 'image'),
  quobyte: validateQuobyte,
  cephfs: requires('monitors'),
  iscsi: validateSharedIscsi,
  cinder: validateSharedCinder,
  fc: validateFc,
  flexVolume: validateFlexVolume,
  azureFile: validateAzureFile,
  vsphereVolume: requires('volumePath'),
  photonPersistentDisk: requires('pdID'),
  portworxVolume: requires('volumeID'),
  azureDisk: validateAzureDisk,
  scaleIO: requires('gateway', 'system', 'volumeName'),
  local: validateLocalPath,
  storageos: validateSharedStorageOs,
  csi: validateCsi,
};

function validateGlusterfs(source: GlusterfsPersistentVolumeSource, path: Path, problems: Problems): void {
  required(problems, path, 'endpoints', source.endpoints);
  required(problems, path, 'path', source.path);
  const { endpointsNamespace: namespace } = source;
  if (namespace !== undefined) formatted(problems, path, 'endpointsNamespace', namespace, dns1123Label);
}

function validateSharedIscsi(source: ISCSIPersistentVolumeSource, path: Path, problems: Problems): void {
  validateIscsi(source, path, problems);
  if (source.secretRef) required(problems, path.child('secretRef'), 'name', source.secretRef.name);
}

function validateSharedCinder(source: CinderPersistentVolumeSource, path: Path, problems: Problems): void {
  validateCinder(source, path, problems);
  if (source.secretRef) required(problems, path.child('secretRef'), 'namespace', source.secretRef.namespace);
}

function validateSharedStorageOs(source: StorageOSPersistentVolumeSource, path: Path, problems: Problems): void {
  validateStorageOs(source, path, problems);
  if (source.secretRef) required(problems, path.child('secretRef'), 'namespace', source.secretRef.namespace);
}

function validateAzureFile(source: AzureFilePersistentVolumeSource, path: Path, problems: Problems): void {
  required(problems, path, 'secretName', source.secretName);
  required(problems, path, 'shareName', source.shareName);
  if (source.secretNamespace === '') problems.required(path.child('secretNamespace'));
}

function validateLocalPath(source: LocalVolumeSource, path: Path, problems: Problems): void {
  named(problems, path, 'path', source.path, noBacksteps);
}

const SECRETS = ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef'] as const;

function validateCsi(source: CSIPersistentVolumeSource, path: Path, problems: Problems): void {
  validateDriverName(source.driver, path, 'driver', problems);
  required(problems, path, 'volumeHandle', source.volumeHandle);
  for (const field of SECRETS) {
    const secret = source[field];
    if (secret) validateSecret(secret, path.child(field), problems);
  }
}

function validateSecret({ name, namespace }: SecretReference, path: Path, problems: Problems): void {
  named(problems, path, 'name', name, dns1123Label);
  named(problems, path, 'namespace', namespace, dns1123Label);
}

/** A volume that an attachment describes itself, for drivers that take over from older ways. */
export function validateInlineVolume(
  spec: PersistentVolumeSpec,
  path: Path,
  problems: Problems,
  context: HookContext,
): void {
  const why = 'may not be specified in the context of inline volumes';
  forbidden(problems, path, 'claimRef', spec.claimRef, why);
  forbidden(problems, path, 'capacity', spec.capacity, why);
  required(problems, path, 'csi', spec.csi, 'has to be specified in the context of inline volumes');
  validateModes(spec, path, problems);
  const { persistentVolumeReclaimPolicy: policy, volumeMode } = spec;
  if (policy && policy !== 'Retain') {
    const rule = 'may only be Retain in the context of inline volumes';
    problems.forbidden(path.child('persistentVolumeReclaimPolicy'), rule);
  }
  forbidden(problems, path, 'nodeAffinity', spec.nodeAffinity, why);
  validateOneSource<PersistentVolumeSource, SourceName>(spec, SOURCE_NAMES, RULES, path, problems, context);
  forbidden(problems, path, 'storageClassName', spec.storageClassName, why);
  if (volumeMode !== undefined && volumeMode !== 'Filesystem') {
    const rule = 'may not specify volumeMode other than Filesystem in the context of inline volumes';
    problems.forbidden(path.child('volumeMode'), rule);
  }
}

const ROOT = Path.of('');

/** Where the data is does not change. Clients know the paths of the last two without `spec`. */
export function validatePersistentVolumeUpdate(
  { spec }: PersistentVolume,
  old: PersistentVolume,
  problems: Problems,
): void {
  if (SOURCE_NAMES.some((name) => !sameValue(withoutNewSecret(spec, old.spec)[name], old.spec[name]))) {
    const rule = 'spec.persistentvolumesource is immutable after creation';
    problems.forbidden(SPEC.child('persistentvolumesource'), rule);
  }
  unchanged(problems, ROOT, 'volumeMode', spec.volumeMode, old.spec.volumeMode);
  if (old.spec.nodeAffinity) unchanged(problems, ROOT, 'nodeAffinity', spec.nodeAffinity, old.spec.nodeAffinity);
}

/** The secret for growing came later than the volumes that need it, so it can be added. */
function withoutNewSecret(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): PersistentVolumeSpec {
  if (!spec.csi?.controllerExpandSecretRef || !old.csi || old.csi.controllerExpandSecretRef) return spec;
  const { controllerExpandSecretRef: _, ...csi } = spec.csi;
  return { ...spec, csi };
}
