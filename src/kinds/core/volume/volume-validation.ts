import { formatted, required } from '../../../meta/field-rules.ts';
import { dns1123Label, dns1123Subdomain } from '../../../meta/formats.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import type { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { isNegative } from '../resource-validation.ts';
import type { CSIVolumeSource } from './driver-volumes.ts';
import type { EmptyDirVolumeSource } from './local-volumes.ts';
import { validateClaimTemplate } from './persistent-volume-claim-validation.ts';
import {
  validateConfigMapVolume,
  validateDownwardApiVolume,
  validateProjectedVolume,
  validateSecretVolume,
} from './projected-volume-validation.ts';
import type { EphemeralVolumeSource, Volume } from './volume.ts';
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
  validateGitRepo,
  validateHostPath,
  validateIscsi,
  validateNfs,
  validateOneSource,
  validateQuobyte,
  validateStorageOs,
} from './volume-sources-validation.ts';

/** The volumes of a pod that have no problem, by name. Others do not exist for those who want to mount them. */
export type SoundVolumes = ReadonlyMap<string, Volume>;

const NONE: SoundVolumes = new Map();

/** `pod` is the name of the pod, or '' for a template: claims made for a pod are named after it. */
export function validateVolumes(
  volumes: readonly Volume[] | undefined,
  pod: string,
  path: Path,
  problems: Problems,
  context: HookContext,
): SoundVolumes {
  if (!volumes?.length) return NONE;
  const sound = new Map<string, Volume>();
  const ephemeral = pod === '' ? [] : volumes.filter((volume) => volume.ephemeral);
  const made = new Set(ephemeral.map(({ name }) => `${pod}-${name}`));
  volumes.forEach((volume, at) => {
    const volumePath = path.index(at);
    const before = problems.count;
    validateOneSource(volume, SOURCE_NAMES, RULES, volumePath, problems, context);
    validateNameInUse(volume, pod, volumePath, problems);
    if (required(problems, volumePath, 'name', volume.name)) {
      formatted(problems, volumePath, 'name', volume.name, dns1123Label);
    }
    if (sound.has(volume.name)) problems.duplicate(volumePath.child('name'), volume.name);
    if (problems.count === before) sound.set(volume.name, volume);
    validateClaimIsNotMade(volume, made, volumePath, problems);
  });
  return sound;
}

/** A claim that comes and goes with the pod cannot be used as one that is there already. */
function validateClaimIsNotMade(volume: Volume, made: ReadonlySet<string>, path: Path, problems: Problems): void {
  const claim = volume.persistentVolumeClaim?.claimName;
  if (claim === undefined || !made.has(claim)) return;
  problems.invalid(
    path.child('persistentVolumeClaim').child('claimName'),
    claim,
    'must not reference a PVC that gets created for an ephemeral volume',
  );
}

type SourceName = Exclude<keyof Volume, 'name'>;

/** In the order in which they count. */
const SOURCE_NAMES = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
] as const satisfies readonly SourceName[];

const RULES: SourceRules<Volume, SourceName> = {
  emptyDir: validateEmptyDir,
  hostPath: validateHostPath,
  gitRepo: validateGitRepo,
  gcePersistentDisk: validateGcePersistentDisk,
  awsElasticBlockStore: validateAwsElasticBlockStore,
  secret: validateSecretVolume,
  nfs: validateNfs,
  iscsi: validateIscsi,
  glusterfs: requires('endpoints', 'path'),
  flocker: validateFlocker,
  persistentVolumeClaim: requires('claimName'),
  rbd: requires('monitors', 'image'),
  cinder: validateCinder,
  cephfs: requires('monitors'),
  quobyte: validateQuobyte,
  downwardAPI: validateDownwardApiVolume,
  fc: validateFc,
  flexVolume: validateFlexVolume,
  configMap: validateConfigMapVolume,
  azureFile: requires('secretName', 'shareName'),
  vsphereVolume: requires('volumePath'),
  photonPersistentDisk: requires('pdID'),
  portworxVolume: requires('volumeID'),
  azureDisk: validateAzureDisk,
  storageos: validateStorageOs,
  projected: validateProjectedVolume,
  scaleIO: requires('gateway', 'system', 'volumeName'),
  csi: validateCsi,
  ephemeral: validateEphemeral,
};

/** Names that become part of longer names. */
function validateNameInUse({ name, iscsi, ephemeral }: Volume, pod: string, path: Path, problems: Problems): void {
  if (iscsi && isIscsiNameTooLong(name, iscsi)) problems.invalid(path.child('name'), name, ISCSI_NAME_TOO_LONG);
  if (!ephemeral || pod === '' || !name) return;
  const claim = `${pod}-${name}`;
  const problem = dns1123Subdomain(claim);
  if (problem !== undefined) problems.invalid(path.child('name'), name, `PVC name "${claim}": ${problem}`);
}

function validateEmptyDir({ sizeLimit }: EmptyDirVolumeSource, path: Path, problems: Problems): void {
  if (sizeLimit === undefined || !isNegative(sizeLimit)) return;
  problems.forbidden(path.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity');
}

function validateCsi({ driver, nodePublishSecretRef: secret }: CSIVolumeSource, path: Path, problems: Problems): void {
  validateDriverName(driver, path, 'driver', problems);
  if (!secret) return;
  if (required(problems, path.child('nodePublishSecretRef'), 'name', secret.name)) {
    formatted(problems, path, 'name', secret.name ?? '', dns1123Subdomain);
  }
}

function validateEphemeral({ volumeClaimTemplate }: EphemeralVolumeSource, path: Path, problems: Problems): void {
  const template = path.child('volumeClaimTemplate');
  if (volumeClaimTemplate) validateClaimTemplate(volumeClaimTemplate, template, problems);
  else problems.required(template);
}
