import { goText } from '../print/go-text.ts';
import { shortened } from './metadata.ts';
import type { Sheet } from './sheet.ts';
import { listText, sortedEntries } from './texts.ts';

/** A source of a volume, by its fields. */
export type Source = Readonly<Record<string, unknown>>;

const LEVEL = 2;
const LONGEST_ATTRIBUTE = 140;

type Cell = readonly [label: string, text: (source: Source) => string];

const text =
  (field: string, fallback = '') =>
  (source: Source): string =>
    String(source[field] ?? fallback);
const flag = (field: string) => text(field, 'false');
const listed = (field: string) => (source: Source) => listText(source[field] as string[] | undefined);

/** A reference to a secret as the type's own spelling has it. */
const reference = (type: 'LocalObjectReference' | 'SecretReference') => (source: Source) => {
  const secret = source.secretRef as { readonly name?: string; readonly namespace?: string } | undefined;
  if (!secret) return 'nil';
  const namespace = type === 'SecretReference' ? `Namespace:${secret.namespace ?? ''},` : '';
  return `&${type}{Name:${secret.name ?? ''},${namespace}}`;
};

const FS_TYPE: Cell = ['FSType:', text('fsType')];
const READ_ONLY: Cell = ['ReadOnly:', flag('readOnly')];
const OPTIONAL: Cell = ['Optional:', flag('optional')];

const CEPH = "CephFS (a CephFS mount on the host that shares a pod's lifetime)";
const FLEX = 'FlexVolume (a generic volume resource that is provisioned/attached using an exec based plugin)';
const GLUSTER = "Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)";
const AZURE_FILE = 'AzureFile (an Azure File Service mount on the host and bind mount to the pod)';
const CSI = 'CSI (a Container Storage Interface (CSI) volume source)';

const cephCells = (type: 'LocalObjectReference' | 'SecretReference'): Cell[] => [
  ['Monitors:', listed('monitors')],
  ['Path:', text('path')],
  ['User:', text('user')],
  ['SecretFile:', text('secretFile')],
  ['SecretRef:', reference(type)],
  READ_ONLY,
];
const flexCells = (type: 'LocalObjectReference' | 'SecretReference'): Cell[] => [
  ['Driver:', text('driver')],
  FS_TYPE,
  ['SecretRef:', reference(type)],
  READ_ONLY,
  ['Options:', ({ options }) => goText(options ?? {})],
];
const rbdCells = (type: 'LocalObjectReference' | 'SecretReference'): Cell[] => [
  ['CephMonitors:', listed('monitors')],
  ['RBDImage:', text('image')],
  FS_TYPE,
  ['RBDPool:', text('pool')],
  ['RadosUser:', text('user')],
  ['Keyring:', text('keyring')],
  ['SecretRef:', reference(type)],
  READ_ONLY,
];
const cinderCells = (type: 'LocalObjectReference' | 'SecretReference'): Cell[] => [
  ['VolumeID:', text('volumeID')],
  FS_TYPE,
  READ_ONLY,
  ['SecretRef:', reference(type)],
];
const iscsiCells = (type: 'LocalObjectReference' | 'SecretReference'): Cell[] => [
  ['TargetPortal:', text('targetPortal')],
  ['IQN:', text('iqn')],
  ['Lun:', text('lun', '0')],
  ['ISCSIInterface', text('iscsiInterface')],
  FS_TYPE,
  READ_ONLY,
  ['Portals:', listed('portals')],
  ['DiscoveryCHAPAuth:', flag('chapAuthDiscovery')],
  ['SessionCHAPAuth:', flag('chapAuthSession')],
  ['SecretRef:', reference(type)],
  ['InitiatorName:', text('initiatorName', '<none>')],
];
const storageOsCells: Cell[] = [
  ['VolumeName:', text('volumeName')],
  ['VolumeNamespace:', text('volumeNamespace')],
  FS_TYPE,
  READ_ONLY,
];
const scaleIoCells = (...secret: Cell[]): Cell[] => [
  ['Gateway:', text('gateway')],
  ['System:', text('system')],
  ['Protection Domain:', text('protectionDomain')],
  ['Storage Pool:', text('storagePool')],
  ['Storage Mode:', text('storageMode')],
  ['VolumeName:', text('volumeName')],
  ...secret,
  FS_TYPE,
  READ_ONLY,
];
const secretPart =
  (part: 'name' | 'namespace') =>
  ({ secretRef }: Source): string =>
    (secretRef as Partial<Record<string, string>> | undefined)?.[part] ?? '';

const ISCSI = "ISCSI (an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod)";
const RBD = "RBD (a Rados Block Device mount on the host that shares a pod's lifetime)";
const SCALE_IO = 'ScaleIO (a persistent volume backed by a block device in ScaleIO)';
const CINDER = 'Cinder (a Persistent Disk resource in OpenStack)';
const STORAGE_OS = 'StorageOS (a StorageOS Persistent Disk resource)';

type Kind = readonly [title: string, cells: readonly Cell[]];

/** Sources of volumes of pods and of persistent volumes alike. */
const SHARED: Readonly<Record<string, Kind>> = {
  hostPath: [
    'HostPath (bare host directory volume)',
    [
      ['Path:', text('path')],
      ['HostPathType:', text('type', '<none>')],
    ],
  ],
  gcePersistentDisk: [
    'GCEPersistentDisk (a Persistent Disk resource in Google Compute Engine)',
    [['PDName:', text('pdName')], FS_TYPE, ['Partition:', text('partition', '0')], READ_ONLY],
  ],
  awsElasticBlockStore: [
    'AWSElasticBlockStore (a Persistent Disk resource in AWS)',
    [['VolumeID:', text('volumeID')], FS_TYPE, ['Partition:', text('partition', '0')], READ_ONLY],
  ],
  nfs: [
    'NFS (an NFS mount that lasts the lifetime of a pod)',
    [['Server:', text('server')], ['Path:', text('path')], READ_ONLY],
  ],
  quobyte: [
    "Quobyte (a Quobyte mount on the host that shares a pod's lifetime)",
    [['Registry:', text('registry')], ['Volume:', text('volume')], READ_ONLY],
  ],
  portworxVolume: ['PortworxVolume (a Portworx Volume resource)', [['VolumeID:', text('volumeID')]]],
  azureDisk: [
    'AzureDisk (an Azure Data Disk mount on the host and bind mount to the pod)',
    [
      ['DiskName:', text('diskName')],
      ['DiskURI:', text('diskURI')],
      ['Kind: ', text('kind')],
      FS_TYPE,
      ['CachingMode:', text('cachingMode')],
      READ_ONLY,
    ],
  ],
  vsphereVolume: [
    'vSphereVolume (a Persistent Disk resource in vSphere)',
    [['VolumePath:', text('volumePath')], FS_TYPE, ['StoragePolicyName:', text('storagePolicyName')]],
  ],
  photonPersistentDisk: [
    'PhotonPersistentDisk (a Persistent Disk resource in photon platform)',
    [['PdID:', text('pdID')], FS_TYPE],
  ],
  fc: [
    'FC (a Fibre Channel disk)',
    [
      ['TargetWWNs:', ({ targetWWNs }) => ((targetWWNs as string[] | undefined) ?? []).join(', ')],
      ['LUN:', text('lun', '<none>')],
      FS_TYPE,
      READ_ONLY,
    ],
  ],
  flocker: [
    'Flocker (a Flocker volume mounted by the Flocker agent)',
    [
      ['DatasetName:', text('datasetName')],
      ['DatasetUUID:', text('datasetUUID')],
    ],
  ],
};

const OF_PODS: Readonly<Record<string, Kind>> = {
  ...SHARED,
  emptyDir: [
    "EmptyDir (a temporary directory that shares a pod's lifetime)",
    [
      ['Medium:', text('medium')],
      ['SizeLimit:', ({ sizeLimit }) => (sizeLimit && sizeLimit !== '0' ? String(sizeLimit) : '<unset>')],
    ],
  ],
  gitRepo: [
    'GitRepo (a volume that is pulled from git when the pod is created)',
    [
      ['Repository:', text('repository')],
      ['Revision:', text('revision')],
    ],
  ],
  secret: ['Secret (a volume populated by a Secret)', [['SecretName:', text('secretName')], OPTIONAL]],
  configMap: ['ConfigMap (a volume populated by a ConfigMap)', [['Name:', text('name')], OPTIONAL]],
  iscsi: [ISCSI, iscsiCells('LocalObjectReference')],
  glusterfs: [GLUSTER, [['EndpointsName:', text('endpoints')], ['Path:', text('path')], READ_ONLY]],
  persistentVolumeClaim: [
    'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)',
    [['ClaimName:', text('claimName')], READ_ONLY],
  ],
  rbd: [RBD, rbdCells('LocalObjectReference')],
  cinder: [CINDER, cinderCells('LocalObjectReference')],
  scaleIO: [SCALE_IO, scaleIoCells()],
  cephfs: [CEPH, cephCells('LocalObjectReference')],
  storageos: [STORAGE_OS, storageOsCells],
  azureFile: [AZURE_FILE, [['SecretName:', text('secretName')], ['ShareName:', text('shareName')], READ_ONLY]],
  flexVolume: [FLEX, flexCells('LocalObjectReference')],
  csi: [CSI, [['Driver:', text('driver')], FS_TYPE, READ_ONLY]],
};

const PERSISTENT: Readonly<Record<string, Kind>> = {
  ...SHARED,
  iscsi: [ISCSI, iscsiCells('SecretReference')],
  glusterfs: [
    GLUSTER,
    [
      ['EndpointsName:', text('endpoints')],
      ['EndpointsNamespace:', text('endpointsNamespace', '<unset>')],
      ['Path:', text('path')],
      READ_ONLY,
    ],
  ],
  rbd: [RBD, rbdCells('SecretReference')],
  cinder: [CINDER, cinderCells('SecretReference')],
  scaleIO: [SCALE_IO, scaleIoCells(['SecretName:', secretPart('name')], ['SecretNamespace:', secretPart('namespace')])],
  local: ['LocalVolume (a persistent volume backed by local storage on a node)', [['Path:', text('path')]]],
  cephfs: [CEPH, cephCells('SecretReference')],
  storageos: [STORAGE_OS, storageOsCells],
  azureFile: [
    AZURE_FILE,
    [
      ['SecretName:', text('secretName')],
      ['SecretNamespace:', text('secretNamespace')],
      ['ShareName:', text('shareName')],
      READ_ONLY,
    ],
  ],
  flexVolume: [FLEX, flexCells('SecretReference')],
  csi: [CSI, [['Driver:', text('driver')], FS_TYPE, ['VolumeHandle:', text('volumeHandle')], READ_ONLY]],
};

/** Writes the source of a volume of a pod; false when it is none that is told in cells. */
export const writePodSource = (sheet: Sheet, volume: Source): boolean => writeSource(sheet, volume, OF_PODS);

/** Writes the source of a persistent volume. */
export const writePersistentSource = (sheet: Sheet, spec: Source): boolean => writeSource(sheet, spec, PERSISTENT);

function writeSource(sheet: Sheet, holder: Source, kinds: Readonly<Record<string, Kind>>): boolean {
  const found = Object.entries(kinds).find(([field]) => holder[field] !== undefined && holder[field] !== null);
  if (!found) return false;
  const [field, [title, cells]] = found;
  const source = holder[field] as Source;
  sheet.field('Type', title, LEVEL);
  for (const [label, textOf] of cells) sheet.line(LEVEL, label, textOf(source));
  if (field === 'csi') writeAttributes(sheet, source.volumeAttributes as Readonly<Record<string, string>> | undefined);
  return true;
}

function writeAttributes(sheet: Sheet, attributes: Readonly<Record<string, string>> | undefined): void {
  const shown = sortedEntries(attributes).map(
    ([key, value]) => `    ${shortened(`${key}=${value}`, LONGEST_ATTRIBUTE)}`,
  );
  sheet.values('VolumeAttributes', shown, LEVEL);
}
