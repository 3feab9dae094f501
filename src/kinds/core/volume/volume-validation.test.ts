import { describe, it } from 'vitest';
import { pod, refuses, withContainer } from '../../../../test/pods.ts';

const withVolume = (source: { readonly [key: string]: unknown }): unknown =>
  pod({ volumes: [{ name: 'v', ...source }] });

describe('a volume', () => {
  const at = 'spec.volumes[0]';

  it.each([
    [{ name: '', emptyDir: {} }, `Required ${at}.name`],
    [{ name: 'a.b', emptyDir: {} }, `Invalid ${at}.name`],
    [{ emptyDir: {}, hostPath: { path: '/x' } }, `Forbidden ${at}.hostPath`],
    [{ emptyDir: { sizeLimit: '-1' } }, `Forbidden ${at}.emptyDir.sizeLimit`],
    [{ hostPath: { path: '' } }, `Required ${at}.hostPath.path`],
    [{ hostPath: { path: '/a/../b' } }, `Invalid ${at}.hostPath.path`],
    [{ hostPath: { path: '/a', type: 'Odd' } }, `NotSupported ${at}.hostPath.type`],
    [{ secret: {} }, `Required ${at}.secret.secretName`],
    [{ secret: { secretName: 's', defaultMode: 512 } }, `Invalid ${at}.secret.defaultMode`],
    [{ secret: { secretName: 's', items: [{ key: '', path: 'a' }] } }, `Required ${at}.secret.items[0].key`],
    [{ secret: { secretName: 's', items: [{ key: 'k', path: '' }] } }, `Required ${at}.secret.items[0].path`],
    [{ secret: { secretName: 's', items: [{ key: 'k', path: '..a' }] } }, `Invalid ${at}.secret.items[0].path`],
    [{ secret: { secretName: 's', items: [{ key: 'k', path: 'a', mode: -1 }] } }, `Invalid ${at}.secret.items[0].mode`],
    [{ configMap: {} }, `Required ${at}.configMap.name`],
    [{ persistentVolumeClaim: {} }, `Required ${at}.persistentVolumeClaim.claimName`],
    [{ nfs: { server: '', path: '/a' } }, `Required ${at}.nfs.server`],
    [{ nfs: { server: 's', path: 'a' } }, `Invalid ${at}.nfs.path`],
    [{ downwardAPI: { items: [{ path: 'a' }] } }, `Required ${at}.downwardAPI`],
    [
      { downwardAPI: { items: [{ path: 'a', fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } }] } },
      `NotSupported ${at}.downwardAPI.fieldRef.fieldPath`,
    ],
    [
      { downwardAPI: { items: [{ path: 'a', resourceFieldRef: { resource: 'limits.cpu' } }] } },
      `Required ${at}.downwardAPI.resourceFieldRef.containerName`,
    ],
    [{ projected: { sources: [{ secret: {} }] } }, `Required ${at}.projected.sources[0].secret.name`],
    [{ projected: { sources: [{ configMap: {} }] } }, `Required ${at}.projected.sources[0].configMap.name`],
    [
      { projected: { sources: [{ secret: { name: 's' }, configMap: { name: 'c' } }] } },
      `Forbidden ${at}.projected.sources[0]`,
    ],
    [
      {
        projected: {
          sources: [
            { secret: { name: 's', items: [{ key: 'k', path: 'a' }] } },
            { configMap: { name: 'c', items: [{ key: 'k', path: 'a' }] } },
          ],
        },
      },
      `Invalid ${at}.projected`,
    ],
    [{ ephemeral: {} }, `Required ${at}.ephemeral.volumeClaimTemplate`],
    [{ csi: { driver: '' } }, [`Required ${at}.csi.driver`, `Invalid ${at}.csi.driver`]],
    [{ csi: { driver: 'a'.repeat(64) } }, `TooLong ${at}.csi.driver`],
    [{ csi: { driver: 'a', nodePublishSecretRef: {} } }, `Required ${at}.csi.nodePublishSecretRef.name`],
    [{ iscsi: { targetPortal: '', iqn: 'eui.0123456789abcdef', lun: 1 } }, `Required ${at}.iscsi.targetPortal`],
    [{ iscsi: { targetPortal: 't', iqn: 'odd', lun: 1 } }, `Invalid ${at}.iscsi.iqn`],
    [{ iscsi: { targetPortal: 't', iqn: 'iqn.2001-04.com.example:a', lun: 256 } }, `Invalid ${at}.iscsi.lun`],
    [
      { iscsi: { targetPortal: 't', iqn: 'iqn.2001-04.com.example:a', lun: 1, chapAuthSession: true } },
      `Required ${at}.iscsi.secretRef`,
    ],
    [{ rbd: { monitors: [], image: 'i' } }, `Required ${at}.rbd.monitors`],
    [{ rbd: { monitors: ['m'], image: '' } }, `Required ${at}.rbd.image`],
    [{ cephfs: { monitors: [] } }, `Required ${at}.cephfs.monitors`],
    [{ glusterfs: { endpoints: '', path: 'p' } }, `Required ${at}.glusterfs.endpoints`],
    [{ gcePersistentDisk: { pdName: '' } }, `Required ${at}.persistentDisk.pdName`],
    [{ gcePersistentDisk: { pdName: 'a', partition: 256 } }, `Invalid ${at}.persistentDisk.partition`],
    [{ awsElasticBlockStore: { volumeID: '' } }, `Required ${at}.awsElasticBlockStore.volumeID`],
    [{ gitRepo: { repository: '' } }, `Required ${at}.gitRepo.repository`],
    [{ gitRepo: { repository: 'r', directory: '/a' } }, `Invalid ${at}.gitRepo.directory`],
    [{ flocker: {} }, `Required ${at}.flocker`],
    [{ flocker: { datasetName: 'a', datasetUUID: 'b' } }, `Invalid ${at}.flocker`],
    [{ fc: {} }, `Required ${at}.fc.targetWWNs`],
    [{ fc: { targetWWNs: ['a'] } }, `Required ${at}.fc.lun`],
    [{ fc: { targetWWNs: ['a'], lun: 256 } }, `Invalid ${at}.fc.lun`],
    [{ quobyte: { registry: '', volume: 'v' } }, `Required ${at}.quobyte.registry`],
    [{ quobyte: { registry: 'nohost', volume: 'v' } }, `Invalid ${at}.quobyte.registry`],
    [{ azureFile: { secretName: '', shareName: 's' } }, `Required ${at}.azureFile.secretName`],
    [
      { azureDisk: { diskName: 'd', diskURI: 'https://u', cachingMode: 'Odd' } },
      `NotSupported ${at}.azureDisk.cachingMode`,
    ],
    [{ azureDisk: { diskName: 'd', diskURI: 'u', kind: 'Managed' } }, `NotSupported ${at}.azureDisk.diskURI`],
    [{ vsphereVolume: { volumePath: '' } }, `Required ${at}.vsphereVolume.volumePath`],
    [{ photonPersistentDisk: { pdID: '' } }, `Required ${at}.photonPersistentDisk.pdID`],
    [{ portworxVolume: { volumeID: '' } }, `Required ${at}.portworxVolume.volumeID`],
    [{ scaleIO: { gateway: '', system: 's', volumeName: 'v' } }, `Required ${at}.scaleIO.gateway`],
    [{ storageos: {} }, `Required ${at}.storageos.volumeName`],
    [{ cinder: { volumeID: '' } }, `Required ${at}.cinder.volumeID`],
    [{ flexVolume: { driver: '' } }, `Required ${at}.flexVolume.driver`],
    [
      { flexVolume: { driver: 'd', options: { 'x.platform.io/a': 'b' } } },
      `Invalid ${at}.flexVolume.options[x.platform.io/a]`,
    ],
    [{ emptyDir: {}, cephfs: { monitors: ['m'] } }, `Forbidden ${at}.cephFS`],
  ])('like %j is refused', (source, cause) => {
    refuses(withVolume(source), ...[cause].flat());
  });

  it('that asks for a token says where, and for how long', () => {
    const sources = [{ serviceAccountToken: { path: '', expirationSeconds: 599 } }];
    refuses(
      pod({ serviceAccountName: 's', volumes: [{ name: 'v', projected: { sources } }] }),
      `Required ${at}.projected.path`,
      `Invalid ${at}.projected.sources[0].serviceAccountToken.expirationSeconds`,
    );
  });

  it('made for the pod has a claim with labels, annotations and nothing else', () => {
    const spec = { accessModes: ['Odd'], resources: {} };
    const metadata = { name: 'x', uid: 'u', labels: { a: 'b c' } };
    const template = `${at}.ephemeral.volumeClaimTemplate`;
    refuses(
      withVolume({ ephemeral: { volumeClaimTemplate: { metadata, spec } } }),
      `Forbidden ${template}.metadata.name`,
      `Forbidden ${template}.metadata.uID`,
      `Invalid ${template}.metadata.labels`,
      `NotSupported ${template}.spec.accessModes`,
      `Required ${template}.spec.resources[storage]`,
    );
  });

  it('has a name of its own', () => {
    const volume = { name: 'v', emptyDir: {} };
    refuses(pod({ volumes: [volume, volume] }), 'Duplicate spec.volumes[1].name');
  });

  it('with a problem cannot be mounted', () => {
    const volumes = [{ name: 'v', secret: {} }];
    refuses(
      withContainer({ volumeMounts: [{ name: 'v', mountPath: '/a' }] }, { volumes }),
      'Required spec.volumes[0].secret.secretName',
      'NotFound spec.containers[0].volumeMounts[0].name',
    );
  });
});
