import { describe, expect, it } from 'vitest';
import { changed, problemsOf, problemsOfChange } from '../../../../test/problems-of.ts';
import { PersistentVolume } from './persistent-volume.ts';
import { PersistentVolumeClaim } from './persistent-volume-claim.ts';
import {
  validatePersistentVolumeClaim,
  validatePersistentVolumeClaimStatusUpdate,
  validatePersistentVolumeClaimUpdate,
} from './persistent-volume-claim-validation.ts';
import { validatePersistentVolume, validatePersistentVolumeUpdate } from './persistent-volume-validation.ts';

const csi = { driver: 'd.x.y', volumeHandle: 'h' };
const volume = {
  metadata: { name: 'v' },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], csi },
};
const affinity = {
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }] },
};
const instead = (source: object) => ({ csi: null, ...source });

describe('a persistent volume', () => {
  const secret = { name: 's', namespace: 'n' };

  it.each([
    [{ storageClassName: 'c', volumeMode: 'Block', csi: { nodePublishSecretRef: secret } }, []],
    [instead({ local: { path: '/a' }, nodeAffinity: affinity }), []],
    [instead({ nfs: { server: 's', path: '/a' }, nodeAffinity: affinity }), []],
    [{ accessModes: null }, ['Required spec.accessModes']],
    [{ accessModes: ['Odd'] }, ['NotSupported spec.accessModes']],
    [{ capacity: null }, ['NotSupported spec.capacity', 'Required spec.capacity']],
    [{ capacity: { cpu: '1' } }, ['NotSupported spec.capacity']],
    [{ capacity: { storage: '0' } }, ['Invalid spec.capacity[storage]']],
    [{ persistentVolumeReclaimPolicy: 'Odd' }, ['NotSupported spec.persistentVolumeReclaimPolicy']],
    [
      instead({ hostPath: { path: '//./' }, persistentVolumeReclaimPolicy: 'Recycle' }),
      ['Forbidden spec.persistentVolumeReclaimPolicy'],
    ],
    [instead({}), ['Required spec']],
    [{ hostPath: { path: '/a' } }, ['Forbidden spec.csi']],
    [{ nodeAffinity: {} }, ['Required spec.nodeAffinity.required']],
    [{ nodeAffinity: { required: {} } }, ['Required spec.nodeAffinity.required.nodeSelectorTerms']],
    [instead({ local: { path: '/a' } }), ['Required spec.nodeAffinity']],
    [instead({ local: { path: '/a/..' }, nodeAffinity: affinity }), ['Invalid spec.local.path']],
    [{ storageClassName: 'A' }, ['Invalid spec.storageClassName']],
    [{ volumeMode: 'Odd' }, ['NotSupported spec.volumeMode']],
    [{ csi: { driver: 'A_B' } }, ['Invalid spec.csi.driver']],
    [{ csi: { volumeHandle: '' } }, ['Required spec.csi.volumeHandle']],
    [
      { csi: { nodePublishSecretRef: { name: 'a.b', namespace: 'n' } } },
      ['Invalid spec.csi.nodePublishSecretRef.name'],
    ],
    [{ csi: { controllerExpandSecretRef: { name: 'a' } } }, ['Required spec.csi.controllerExpandSecretRef.namespace']],
    [instead({ gcePersistentDisk: { pdName: '' } }), ['Required spec.persistentDisk.pdName']],
    [
      instead({ glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: '' } }),
      ['Invalid spec.glusterfs.endpointsNamespace'],
    ],
    [instead({ cinder: { volumeID: 'v', secretRef: { name: 's' } } }), ['Required spec.cinder.secretRef.namespace']],
    [
      instead({ azureFile: { secretName: 's', shareName: 's', secretNamespace: '' } }),
      ['Required spec.azureFile.secretNamespace'],
    ],
    [
      instead({
        iscsi: {
          targetPortal: 't'.repeat(64),
          iqn: 'eui.0123456789abcdef',
          lun: 0,
          initiatorName: 'eui.0123456789abcdef',
        },
      }),
      ['Invalid spec.iscsi.targetportal'],
    ],
  ])('with %j: %j', (spec, causes) => {
    expect(problemsOf(PersistentVolume, { validate: validatePersistentVolume }, changed(volume, { spec }))).toEqual(
      causes,
    );
  });

  it.each([
    [{ capacity: { storage: '2Gi' }, csi: { controllerExpandSecretRef: secret }, nodeAffinity: affinity }, []],
    [{ csi: { volumeHandle: 'other' } }, ['Forbidden spec.persistentvolumesource']],
    [instead({ hostPath: { path: '/' } }), ['Forbidden spec.persistentvolumesource']],
    [{ volumeMode: 'Block' }, ['Invalid volumeMode']],
  ])('changed to %j: %j', (spec, causes) => {
    const change = problemsOfChange(
      PersistentVolume,
      validatePersistentVolumeUpdate,
      volume,
      changed(volume, { spec }),
    );
    expect(change).toEqual(causes);
  });

  it('keeps the nodes it was given', () => {
    const before = changed(volume, { spec: { nodeAffinity: affinity } });
    const change = problemsOfChange(PersistentVolume, validatePersistentVolumeUpdate, before, volume);
    expect(change).toEqual(['Invalid nodeAffinity']);
  });
});

const claim = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };

describe('a claim', () => {
  const source = { apiGroup: 'x.y', kind: 'Snapshot', name: 's' };

  it.each([
    [
      {
        storageClassName: '',
        volumeMode: 'Block',
        selector: { matchLabels: { a: 'b' } },
        dataSource: source,
        dataSourceRef: source,
      },
      [],
    ],
    [{ accessModes: [] }, ['Required spec.accessModes']],
    [{ accessModes: ['ReadWriteOncePod'] }, ['NotSupported spec.accessModes']],
    [{ resources: { requests: null } }, ['Required spec.resources[storage]']],
    [{ resources: { requests: { storage: '0' } } }, ['Invalid spec.resources[storage]']],
    [{ selector: { matchLabels: { a: 'b c' } } }, ['Invalid spec.selector.matchLabels']],
    [{ storageClassName: 'A' }, ['Invalid spec.storageClassName']],
    [{ volumeMode: 'Odd' }, ['NotSupported spec.volumeMode']],
    [{ dataSource: { ...source, name: '' } }, ['Required spec.dataSource.name']],
    [{ dataSource: { ...source, kind: '' } }, ['Required spec.dataSource.kind']],
    [{ dataSource: { kind: 'Snapshot', name: 's' } }, ['Invalid spec.dataSource']],
    [{ dataSource: source, dataSourceRef: { ...source, name: 'other' } }, ['Invalid spec']],
  ])('with %j: %j', (spec, causes) => {
    const document = changed(claim, { spec });
    expect(problemsOf(PersistentVolumeClaim, { validate: validatePersistentVolumeClaim }, document)).toEqual(causes);
  });

  const change = (before: unknown, after: unknown) =>
    problemsOfChange(PersistentVolumeClaim, validatePersistentVolumeClaimUpdate, before, changed(before, after));

  it.each([
    [{ spec: { volumeName: 'v' } }, []],
    [{ metadata: { labels: { a: 'b' } } }, []],
    [{ spec: { accessModes: ['ReadWriteMany'] } }, ['Forbidden spec']],
    [{ spec: { resources: { requests: { storage: '2Gi' } } } }, ['Forbidden spec']],
    [{ spec: { volumeMode: 'Block' } }, ['Forbidden spec', 'Invalid volumeMode']],
    [
      { metadata: { annotations: { 'volume.beta.platform.io/storage-class': 'c' } } },
      ['Invalid metadata.annotations.volume.beta.platform.io/storage-class'],
    ],
  ])('changed to %j: %j', (after, causes) => {
    expect(change(claim, after)).toEqual(causes);
  });

  it('that is bound may grow but not shrink, and keeps its volume', () => {
    const bound = changed(claim, { spec: { volumeName: 'v' }, status: { phase: 'Bound' } });
    expect(change(bound, { spec: { resources: { requests: { storage: '2Gi' } } } })).toEqual([]);
    expect(change(bound, { spec: { resources: { requests: { storage: '1Mi' } } } })).toEqual([
      'Forbidden spec.resources.requests.storage',
    ]);
    expect(change(bound, { spec: { volumeName: 'w' } })).toEqual(['Forbidden spec']);
  });

  it('may move its class from the annotation to the field', () => {
    const key = 'volume.beta.platform.io/storage-class';
    const before = changed(claim, { metadata: { annotations: { [key]: 'c' } } });
    expect(change(before, { spec: { storageClassName: 'c' } })).toEqual([]);
    expect(change(before, { spec: { storageClassName: 'd' } })).toEqual(['Forbidden spec']);
  });

  it('reports no negative room', () => {
    const report = (capacity: unknown) =>
      problemsOfChange(
        PersistentVolumeClaim,
        validatePersistentVolumeClaimStatusUpdate,
        claim,
        changed(claim, { status: { capacity } }),
      );
    expect([report({ storage: '1Gi' }), report({ storage: '-1' })]).toEqual([[], ['Invalid status.capacity[storage]']]);
  });
});
