import { describe, expect, it } from 'vitest';
import { changed, problemsOf, problemsOfChange } from '../../../../test/problems-of.ts';
import { CSIDriver } from './csi-driver.ts';
import { CSINode } from './csi-node.ts';
import { CSIStorageCapacity } from './csi-storage-capacity.ts';
import {
  validateCSIDriver,
  validateCSIDriverUpdate,
  validateCSINode,
  validateCSINodeUpdate,
  validateCSIStorageCapacity,
  validateCSIStorageCapacityUpdate,
} from './csi-validation.ts';
import { StorageClass } from './storage-class.ts';
import { validateStorageClass, validateStorageClassUpdate } from './storage-class-validation.ts';
import { VolumeAttachment } from './volume-attachment.ts';
import { validateVolumeAttachment, validateVolumeAttachmentUpdate } from './volume-attachment-validation.ts';

describe('a storage class', () => {
  const storageClass = {
    provisioner: 'X.y/Z',
    parameters: { a: 'b' },
    reclaimPolicy: 'Retain',
    volumeBindingMode: 'Immediate',
  };
  const topology = (...matchLabelExpressions: unknown[]) => ({ allowedTopologies: [{ matchLabelExpressions }] });
  const at = 'allowedTopologies[0].matchLabelExpressions';

  it.each([
    [topology({ key: 'zone', values: ['a', 'b'] }), []],
    [{ provisioner: '' }, ['Required provisioner']],
    [{ provisioner: 'a b' }, ['Invalid provisioner']],
    [{ parameters: { '': 'a' } }, ['Invalid parameters']],
    [{ parameters: { a: 'b'.repeat(262144) } }, ['TooLong parameters']],
    [{ parameters: Object.fromEntries(Array.from({ length: 513 }, (_, key) => [key, ''])) }, ['TooLong parameters']],
    [{ reclaimPolicy: 'Recycle' }, ['NotSupported reclaimPolicy']],
    [{ volumeBindingMode: 'Odd' }, ['NotSupported volumeBindingMode']],
    [topology({ key: 'a b', values: ['a'] }), [`Invalid ${at}[0].key`]],
    [topology({ key: 'a', values: [] }), [`Required ${at}[0].values`]],
    [topology({ key: 'a', values: ['b', 'b'] }), [`Duplicate ${at}[0].values[1]`]],
    [topology({ key: 'a', values: ['b'] }, { key: 'a', values: ['c'] }), [`Duplicate ${at}[1].key`]],
    [
      { allowedTopologies: Array(2).fill({ matchLabelExpressions: [{ key: 'a', values: ['b'] }] }) },
      ['Duplicate allowedTopologies[1].matchLabelExpressions'],
    ],
  ])('%#: %j', (change, causes) => {
    const document = changed({ ...storageClass, parameters: {} }, change);
    expect(problemsOf(StorageClass, { validate: validateStorageClass }, document)).toEqual(causes);
  });

  it.each([
    [{ allowVolumeExpansion: true }, []],
    [{ parameters: { a: 'c' } }, ['Forbidden parameters']],
    [{ provisioner: 'x.y/other' }, ['Forbidden provisioner']],
    [{ reclaimPolicy: 'Delete' }, ['Forbidden reclaimPolicy']],
    [{ volumeBindingMode: 'WaitForFirstConsumer' }, ['Invalid volumeBindingMode']],
  ])('changed to %j: %j', (change, causes) => {
    const after = changed(storageClass, change);
    expect(problemsOfChange(StorageClass, validateStorageClassUpdate, storageClass, after)).toEqual(causes);
  });
});

describe('an attachment', () => {
  const attachment = { spec: { attacher: 'd', nodeName: 'n', source: { persistentVolumeName: 'v' } } };
  const inlined = (spec: unknown) => ({ spec: { source: { persistentVolumeName: null, inlineVolumeSpec: spec } } });
  const csi = { driver: 'd', volumeHandle: 'h' };
  const at = 'spec.source.inlineVolumeSpec';

  it.each([
    [{}, []],
    [inlined({ csi, accessModes: ['ReadWriteOnce'], persistentVolumeReclaimPolicy: 'Retain' }), []],
    [{ spec: { attacher: '' } }, ['Invalid spec.attacher', 'Required spec.attacher']],
    [{ spec: { source: { persistentVolumeName: null } } }, ['Required spec.source']],
    [{ spec: { source: { inlineVolumeSpec: { csi } } } }, ['Forbidden spec.source']],
    [{ spec: { source: { persistentVolumeName: 'A' } } }, ['Invalid spec.source.persistentVolumeName']],
    [{ spec: { nodeName: 'A' } }, ['Invalid spec.nodeName']],
    [{ status: { attachmentMetadata: { a: 'b'.repeat(262144) } } }, ['TooLong status.attachmentMetadata']],
    [{ status: { detachError: { message: 'm'.repeat(1025) } } }, ['TooLong status.detachError.message']],
    [
      inlined({ hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Delete', capacity: { storage: '1' } }),
      [
        `Forbidden ${at}.capacity`,
        `Forbidden ${at}.persistentVolumeReclaimPolicy`,
        `Required ${at}.accessModes`,
        `Required ${at}.csi`,
      ],
    ],
  ])('%#: %j', (change, causes) => {
    const document = changed(attachment, change);
    expect(problemsOf(VolumeAttachment, { validate: validateVolumeAttachment }, document)).toEqual(causes);
  });

  it('is of one volume to one node', () => {
    const after = changed(attachment, { spec: { nodeName: 'other' } });
    expect(problemsOfChange(VolumeAttachment, validateVolumeAttachmentUpdate, attachment, after)).toEqual([
      'Invalid spec',
    ]);
  });
});

describe('a driver', () => {
  it.each([
    [
      {
        tokenRequests: [{ audience: '' }, { audience: 'a', expirationSeconds: 600 }],
        volumeLifecycleModes: ['Ephemeral'],
      },
      [],
    ],
    [{ fsGroupPolicy: 'Odd' }, ['NotSupported spec.fsGroupPolicy']],
    [{ volumeLifecycleModes: ['Odd'] }, ['NotSupported spec.volumeLifecycleModes']],
    [{ tokenRequests: [{ audience: 'a' }, { audience: 'a' }] }, ['Duplicate spec.tokenRequests[1].audience']],
    [
      { tokenRequests: [{ audience: 'a', expirationSeconds: 599 }] },
      ['Invalid spec.tokenRequests[0].expirationSeconds'],
    ],
  ])('of %j: %j', (spec, causes) => {
    expect(problemsOf(CSIDriver, { validate: validateCSIDriver }, { spec })).toEqual(causes);
  });

  it.each([
    [{ storageCapacity: true }, []],
    [{ attachRequired: false }, ['Invalid spec.attachedRequired']],
    [{ podInfoOnMount: true }, ['Invalid spec.podInfoOnMount']],
    [{ fsGroupPolicy: 'None' }, ['Invalid spec.fsGroupPolicy']],
    [{ volumeLifecycleModes: ['Ephemeral'] }, ['Invalid spec.volumeLifecycleModes']],
  ])('changed to %j: %j', (spec, causes) => {
    expect(problemsOfChange(CSIDriver, validateCSIDriverUpdate, { spec: {} }, { spec })).toEqual(causes);
  });
});

describe('the drivers of a node', () => {
  const driver = { name: 'd.x.y', nodeID: 'n', topologyKeys: ['zone'], allocatable: { count: 1 } };

  it.each([
    [[driver, { ...driver, name: 'e' }], []],
    [[{ ...driver, name: '' }], ['Invalid spec.drivers[0].name', 'Required spec.drivers[0].name']],
    [[driver, driver], ['Duplicate spec.drivers[1].name']],
    [[{ ...driver, nodeID: '' }], ['Required spec.drivers[0].nodeID']],
    [[{ ...driver, nodeID: 'n'.repeat(257) }], ['Invalid spec.drivers[0].nodeID']],
    [[{ ...driver, allocatable: { count: -1 } }], ['Invalid spec.drivers[0].allocatable.count']],
    [[{ ...driver, topologyKeys: ['a', 'a'] }], ['Duplicate spec.drivers[0]']],
    [[{ ...driver, topologyKeys: ['a b'] }], ['Invalid spec.drivers[0]']],
  ])('%#: %j', (drivers, causes) => {
    expect(problemsOf(CSINode, { validate: validateCSINode }, { spec: { drivers } })).toEqual(causes);
  });

  it('come and go but do not change', () => {
    const change = (...drivers: unknown[]) =>
      problemsOfChange(CSINode, validateCSINodeUpdate, { spec: { drivers: [driver] } }, { spec: { drivers } });
    expect([change(), change(driver, { ...driver, name: 'e' })]).toEqual([[], []]);
    expect(change({ ...driver, nodeID: 'other' })).toEqual(['Invalid CSINodeDriver']);
  });
});

it('room of a driver is of one class in one place', () => {
  const room = { storageClassName: 'c', capacity: '1Gi', nodeTopology: { matchLabels: { a: 'b' } } };
  const problems = (change: unknown) =>
    problemsOf(CSIStorageCapacity, { validate: validateCSIStorageCapacity }, changed(room, change));
  const changes = (change: unknown) =>
    problemsOfChange(CSIStorageCapacity, validateCSIStorageCapacityUpdate, room, changed(room, change));
  expect(problems({})).toEqual([]);
  expect(problems({ storageClassName: '' })).toEqual(['Invalid storageClassName']);
  expect(problems({ capacity: '-1' })).toEqual(['Invalid capacity']);
  expect(problems({ nodeTopology: { matchLabels: { a: 'b c' } } })).toEqual(['Invalid nodeTopology.matchLabels']);
  expect(changes({ capacity: '2Gi' })).toEqual([]);
  expect(changes({ storageClassName: 'd', nodeTopology: null })).toEqual([
    'Invalid nodeTopology',
    'Invalid storageClassName',
  ]);
});
