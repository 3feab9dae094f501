import { describe, expect, it } from 'vitest';
import { referencesOf } from '../../kinds/core/pod/pod-references.ts';
import type { PodSpec } from '../../kinds/core/pod/pod-spec.ts';
import type { PersistentVolumeSpec } from '../../kinds/core/volume/persistent-volume.ts';
import { secretsOfVolume } from './volume-secrets.ts';

const podWith = (spec: Partial<PodSpec>) => ({
  kind: 'Pod' as const,
  apiVersion: 'v1' as const,
  metadata: { name: 'p', namespace: 'ns', creationTimestamp: null },
  spec: { containers: null, ...spec },
  status: {},
});

const volume = (source: object): Partial<PodSpec> => ({ volumes: [{ name: 'v', ...source }] });
const container = (parts: object) => ({ name: 'c', resources: {}, ...parts });
const env = [{ name: 'E', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }];

describe('a pod leads its node to', () => {
  it.each<[string, Partial<PodSpec>, string]>([
    ['its account', { serviceAccountName: 'a' }, 'serviceaccounts/a'],
    ['secrets to pull images', { imagePullSecrets: [{ name: 's' }] }, 'secrets/s'],
    ['secrets of variables', { containers: [container({ env })] }, 'secrets/s'],
    ['those of init containers', { initContainers: [container({ env })] }, 'secrets/s'],
    ['those of ephemeral containers', { ephemeralContainers: [container({ env })] }, 'secrets/s'],
    [
      'config maps of variables',
      { containers: [container({ env: [{ name: 'E', valueFrom: { configMapKeyRef: { name: 'm', key: 'k' } } }] })] },
      'configmaps/m',
    ],
    ['whole secrets', { containers: [container({ envFrom: [{ secretRef: { name: 's' } }] })] }, 'secrets/s'],
    ['whole config maps', { containers: [container({ envFrom: [{ configMapRef: { name: 'm' } }] })] }, 'configmaps/m'],
    ['mounted secrets', volume({ secret: { secretName: 's' } }), 'secrets/s'],
    ['mounted config maps', volume({ configMap: { name: 'm' } }), 'configmaps/m'],
    ['projected secrets', volume({ projected: { sources: [{ secret: { name: 's' } }] } }), 'secrets/s'],
    ['projected config maps', volume({ projected: { sources: [{ configMap: { name: 'm' } }] } }), 'configmaps/m'],
    ['claims', volume({ persistentVolumeClaim: { claimName: 'c' } }), 'persistentvolumeclaims/c'],
    ['claims made for it', volume({ ephemeral: { volumeClaimTemplate: {} } }), 'persistentvolumeclaims/p-v'],
    ['secrets of azureFile', volume({ azureFile: { secretName: 's', shareName: 'x' } }), 'secrets/s'],
    ['secrets of csi', volume({ csi: { driver: 'd', nodePublishSecretRef: { name: 's' } } }), 'secrets/s'],
    ...['cephfs', 'cinder', 'flexVolume', 'iscsi', 'rbd', 'scaleIO', 'storageos'].map(
      (source): [string, Partial<PodSpec>, string] => [
        `secrets of ${source}`,
        volume({ [source]: { secretRef: { name: 's' } } }),
        'secrets/s',
      ],
    ),
  ])('%s', (_, spec, reference) => {
    expect(referencesOf(podWith(spec)).map(({ plural, name }) => `${plural}/${name}`)).toEqual([reference]);
  });

  it('nothing that it does not name', () => {
    const optional = { secretRef: {}, configMapRef: {} };
    expect(
      referencesOf(podWith({ ...volume({ emptyDir: {} }), containers: [container({ envFrom: [optional] })] })),
    ).toEqual([]);
  });
});

describe('a volume leads a node to', () => {
  const claimRef = { namespace: 'ns', name: 'c' };
  const named = { name: 's', namespace: 'x' };

  it.each<[string, Partial<PersistentVolumeSpec>, string[]]>([
    ['a secret in the namespace of the claim', { cephfs: { monitors: null, secretRef: { name: 's' } } }, ['ns/s']],
    ['a secret in a namespace that it names', { cephfs: { monitors: null, secretRef: named } }, ['x/s']],
    ['the secret of azureFile', { azureFile: { secretName: 's', shareName: 'h', secretNamespace: null } }, ['ns/s']],
    ['that of another namespace', { azureFile: { secretName: 's', shareName: 'h', secretNamespace: 'x' } }, ['x/s']],
    [
      'the secrets that a driver needs on the node, and no others',
      {
        csi: {
          driver: 'd',
          volumeHandle: 'h',
          nodeStageSecretRef: { name: 'stage', namespace: 'x' },
          nodePublishSecretRef: { name: 'publish', namespace: 'x' },
          nodeExpandSecretRef: { name: 'expand', namespace: 'x' },
          controllerPublishSecretRef: { name: 'attach', namespace: 'x' },
          controllerExpandSecretRef: { name: 'grow', namespace: 'x' },
        },
      },
      ['x/expand', 'x/publish', 'x/stage'],
    ],
    ...['cinder', 'flexVolume', 'iscsi', 'rbd', 'scaleIO', 'storageos'].map(
      (source): [string, Partial<PersistentVolumeSpec>, string[]] => [
        `the secret of ${source}`,
        { [source]: { secretRef: named } },
        ['x/s'],
      ],
    ),
    ['no secret where it names none', { hostPath: { path: '/' } }, []],
  ])('%s', (_, source, secrets) => {
    const found = secretsOfVolume({
      kind: 'PersistentVolume',
      apiVersion: 'v1',
      metadata: { name: 'v', creationTimestamp: null },
      spec: { claimRef, ...source },
      status: {},
    });
    expect(found.map(({ namespace, name }) => `${namespace}/${name}`)).toEqual(secrets);
  });
});
