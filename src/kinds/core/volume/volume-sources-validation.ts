import { formatted, formattedIfSet, named, oneOf, required, within } from '../../../meta/field-rules.ts';
import {
  absolutePath,
  dns1123Label,
  dns1123Subdomain,
  inclusiveRange,
  noBacksteps,
  relativePath,
} from '../../../meta/formats.ts';
import type { HookContext, PartValidator } from '../../../registry/resource-type.ts';
import type { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { AzureDiskVolumeSource } from './cloud-volumes.ts';
import type { FlexPersistentVolumeSource, FlexVolumeSource } from './driver-volumes.ts';
import type { GitRepoVolumeSource, HostPathVolumeSource } from './local-volumes.ts';
import type {
  FCVolumeSource,
  FlockerVolumeSource,
  ISCSIVolumeSource,
  NFSVolumeSource,
  QuobyteVolumeSource,
} from './network-volumes.ts';

/** Rules of the volume sources that pods and persistent volumes have in common, or nearly so. */

/** The rules of each source that `Holder` may have. */
export type SourceRules<Holder, N extends keyof Holder> = {
  readonly [K in N]: PartValidator<NonNullable<Holder[K]>>;
};

/** Where problems of a source are noted, when that is not its name. Clients know these spellings. */
const OWN_PATHS: ReadonlyMap<PropertyKey, string> = new Map([['gcePersistentDisk', 'persistentDisk']]);
const EXTRA_PATHS: ReadonlyMap<PropertyKey, string> = new Map([
  ['cephfs', 'cephFS'],
  ['downwardAPI', 'downwarAPI'],
]);

/** Exactly one source: the first in the order of `names` counts, others are forbidden. */
export function validateOneSource<Holder, N extends keyof Holder & string>(
  holder: Holder,
  names: readonly N[],
  rules: SourceRules<Holder, N>,
  path: Path,
  problems: Problems,
  context: HookContext,
): void {
  let found = false;
  for (const name of sourcesIn(holder, names, rules)) {
    const source = holder[name];
    if (source === undefined || source === null) continue;
    const own = path.child((found ? EXTRA_PATHS : OWN_PATHS).get(name) ?? name);
    if (found) problems.forbidden(own, 'may not specify more than 1 volume type');
    else rules[name](source, own, problems, context);
    found = true;
  }
  if (!found) problems.required(path, 'must specify a volume type');
}

/** The sources that are there, in order. There are some thirty names, and nearly always one of them is there. */
function sourcesIn<Holder, N extends keyof Holder & string>(
  holder: Holder,
  names: readonly N[],
  rules: SourceRules<Holder, N>,
): readonly N[] {
  const isSource = (name: string): name is N => Object.hasOwn(rules, name);
  const present: N[] = [];
  for (const name in holder)
    if (isSource(name) && holder[name] !== undefined && holder[name] !== null) present.push(name);
  return present.length > 1 ? names.filter((name) => present.includes(name)) : present;
}

/** A source that only has to fill in some fields. */
export const requires =
  <F extends string>(...fields: readonly F[]) =>
  (source: { readonly [K in F]?: unknown }, path: Path, problems: Problems): void => {
    for (const field of fields) required(problems, path, field, source[field]);
  };

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

export function validateHostPath(source: HostPathVolumeSource, path: Path, problems: Problems): void {
  if (!named(problems, path, 'path', source.path, noBacksteps) && !source.path) return;
  oneOf(problems, path, 'type', source.type, HOST_PATH_TYPES);
}

export function validateGitRepo(source: GitRepoVolumeSource, path: Path, problems: Problems): void {
  required(problems, path, 'repository', source.repository);
  formattedIfSet(problems, path, 'directory', source.directory, relativePath);
}

const partition = (source: { readonly partition?: number }, path: Path, problems: Problems): void => {
  const { partition: number = 0 } = source;
  if (number < 0 || number > 255) problems.invalid(path.child('partition'), number, inclusiveRange(0, 255));
};

export function validateGcePersistentDisk(
  source: { readonly pdName: string; readonly partition?: number },
  path: Path,
  problems: Problems,
): void {
  required(problems, path, 'pdName', source.pdName);
  partition(source, path, problems);
}

export function validateAwsElasticBlockStore(
  source: { readonly volumeID: string; readonly partition?: number },
  path: Path,
  problems: Problems,
): void {
  required(problems, path, 'volumeID', source.volumeID);
  partition(source, path, problems);
}

export function validateNfs(source: NFSVolumeSource, path: Path, problems: Problems): void {
  required(problems, path, 'server', source.server);
  required(problems, path, 'path', source.path);
  formatted(problems, path, 'path', source.path, absolutePath);
}

const ISCSI_NAMES: Readonly<Record<string, (name: string) => boolean>> = {
  iqn: isQualifiedIscsiName,
  eui: (name) => /^eui.[A-Za-z0-9]{16}$/.test(name),
  naa: (name) => /^naa.[A-Za-z0-9]{32}$/.test(name),
};

/** Several times what the standard allows. */
const LONGEST_ISCSI_NAME = 1_024;

/**
 * Anything, then `iqn.`, year and month, an authority, a colon and a name: whether a text ends in
 * `iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+`, found piece by piece because the expression takes quadratic time.
 */
export function isQualifiedIscsiName(text: string): boolean {
  const pieces = afterLast(text, /[,;*&$|\s]/).split(':');
  const named = pieces.at(-1) === '' ? pieces.slice(0, -2) : pieces.slice(0, -1);
  return named.some((piece) => /iqn\.\d{4}-\d{2}\../.test(afterLast(piece, /[^A-Za-z0-9.-]/)));
}

/** What comes after the last character of a sort. */
function afterLast(text: string, sort: RegExp): string {
  let start = text.length;
  while (start > 0 && !sort.test(text.charAt(start - 1))) start--;
  return text.slice(start);
}

/** The name of a target or initiator: each naming scheme starts with its own three letters. */
function iscsiName(name: string): string | undefined {
  if (name.length > LONGEST_ISCSI_NAME) return `must have at most ${LONGEST_ISCSI_NAME} characters`;
  const form = ISCSI_NAMES[name.slice(0, 3)];
  if (!form) return 'must be valid format starting with iqn, eui, or naa';
  return form(name) ? undefined : 'must be valid format';
}

type Iscsi = Omit<ISCSIVolumeSource, 'secretRef'> & { readonly secretRef?: object };

export function validateIscsi(source: Iscsi, path: Path, problems: Problems): void {
  required(problems, path, 'targetPortal', source.targetPortal);
  named(problems, path, 'iqn', source.iqn, iscsiName);
  within(problems, path, 'lun', source.lun, 0, 255);
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !source.secretRef) {
    problems.required(path.child('secretRef'));
  }
  if (source.initiatorName !== undefined) {
    formatted(problems, path, 'initiatorname', source.initiatorName, iscsiName);
  }
}

/** With an initiator of its own, a volume is known on the node by its name and portal together. */
export const isIscsiNameTooLong = (volume: string, { initiatorName, targetPortal }: Iscsi): boolean =>
  initiatorName !== undefined && `${volume}:${targetPortal}`.length > 64;

export const ISCSI_NAME_TOO_LONG =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

export function validateFlocker(
  { datasetName = '', datasetUUID = '' }: FlockerVolumeSource,
  path: Path,
  problems: Problems,
) {
  if (!datasetName && !datasetUUID) problems.required(path, 'one of datasetName and datasetUUID is required');
  if (datasetName && datasetUUID) {
    problems.invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously');
  }
  if (datasetName.includes('/')) problems.invalid(path.child('datasetName'), datasetName, "must not contain '/'");
}

/** Of all host:port pairs together. */
const LONGEST_REGISTRY = 8_192;

export function validateQuobyte(source: QuobyteVolumeSource, path: Path, problems: Problems): void {
  const pairs = 'must be a host:port pair or multiple pairs separated by commas';
  if (!source.registry) problems.required(path.child('registry'), pairs);
  else if ((source.tenant?.length ?? 0) > 64) {
    problems.required(path.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters');
  } else if (source.registry.length > LONGEST_REGISTRY || !source.registry.split(',').every(isHostAndPort)) {
    problems.invalid(path.child('registry'), source.registry, pairs);
  }
  required(problems, path, 'volume', source.volume);
}

const isHostAndPort = (text: string): boolean => /^(?:[^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(text);

export function validateFc({ targetWWNs = [], wwids = [], lun }: FCVolumeSource, path: Path, problems: Problems): void {
  if (targetWWNs.length === 0 && wwids.length === 0) {
    problems.required(path.child('targetWWNs'), 'must specify either targetWWNs or wwids, but not both');
  }
  if (targetWWNs.length === 0) return;
  if (wwids.length > 0) {
    problems.invalid(path.child('targetWWNs'), targetWWNs, 'targetWWNs and wwids can not be specified simultaneously');
  }
  if (lun === undefined) problems.required(path.child('lun'), 'lun is required if targetWWNs is specified');
  within(problems, path, 'lun', lun, 0, 255);
}

export function validateFlexVolume(
  { driver, options }: FlexVolumeSource | FlexPersistentVolumeSource,
  path: Path,
  problems: Problems,
  { vocabulary }: HookContext,
): void {
  required(problems, path, 'driver', driver);
  for (const key in options) {
    const slash = key.indexOf('/');
    const domain = (slash < 0 ? key : key.slice(0, slash)).toLowerCase();
    if (!vocabulary.reserves(domain)) continue;
    const { keys, groups } = vocabulary.domains;
    const reserved = [...new Set([keys, groups])].join(' and ');
    problems.invalid(path.child('options').key(key), key, `${reserved} namespaces are reserved`);
  }
}

const CACHING_MODES = ['None', 'ReadOnly', 'ReadWrite'];
const DISK_KINDS = ['Dedicated', 'Managed', 'Shared'];
const MANAGED_URI = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_URI = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

export function validateAzureDisk(source: AzureDiskVolumeSource, path: Path, problems: Problems): void {
  const { diskName, diskURI, cachingMode, kind } = source;
  required(problems, path, 'diskName', diskName);
  required(problems, path, 'diskURI', diskURI);
  oneOf(problems, path, 'cachingMode', cachingMode, CACHING_MODES);
  oneOf(problems, path, 'kind', kind, DISK_KINDS);
  if (kind === 'Managed' && !diskURI.startsWith('/subscriptions/')) {
    problems.notSupported(path.child('diskURI'), diskURI, [MANAGED_URI]);
  }
  if (kind !== undefined && kind !== 'Managed' && !diskURI.startsWith('https://')) {
    problems.notSupported(path.child('diskURI'), diskURI, [BLOB_URI]);
  }
}

interface StorageOs {
  readonly volumeName?: string;
  readonly volumeNamespace?: string;
  readonly secretRef?: { readonly name?: string };
}

export function validateStorageOs(source: StorageOs, path: Path, problems: Problems): void {
  named(problems, path, 'volumeName', source.volumeName, dns1123Label);
  formattedIfSet(problems, path, 'volumeNamespace', source.volumeNamespace, dns1123Label);
  if (source.secretRef) required(problems, path.child('secretRef'), 'name', source.secretRef.name);
}

export function validateCinder(
  source: { readonly volumeID: string; readonly secretRef?: { readonly name?: string } },
  path: Path,
  problems: Problems,
): void {
  required(problems, path, 'volumeID', source.volumeID);
  if (source.secretRef) required(problems, path.child('secretRef'), 'name', source.secretRef.name);
}

const LONGEST_DRIVER = 63;

/** The name a driver is registered by: a subdomain but for its case, and short. */
export function validateDriverName(name: string, path: Path, field: string, problems: Problems): void {
  required(problems, path, field, name);
  if (name.length > LONGEST_DRIVER) problems.tooLong(path.child(field), LONGEST_DRIVER);
  formatted(problems, path, field, name, csiDriverName);
}

const csiDriverName = (name: string): string | undefined => dns1123Subdomain(name.toLowerCase());
