import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Release } from '../src/api/release.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** What each release removed: the paths that were there, and where the objects are now. */
const REMOVED: readonly (readonly [release: Release | '1.25', removed: string, instead: string])[] = [
  ['1.27', 'storage.platform.io/v1beta1/csistoragecapacities', 'storage.platform.io/v1/csistoragecapacities'],
  [
    '1.26',
    'flowcontrol.apiserver.platform.io/v1beta1/flowschemas',
    'flowcontrol.apiserver.platform.io/v1beta2/flowschemas',
  ],
  [
    '1.26',
    'flowcontrol.apiserver.platform.io/v1beta1/prioritylevelconfigurations',
    'flowcontrol.apiserver.platform.io/v1beta2/prioritylevelconfigurations',
  ],
  ['1.26', 'autoscaling/v2beta2/horizontalpodautoscalers', 'autoscaling/v2/horizontalpodautoscalers'],
  ['1.25', 'batch/v1beta1/cronjobs', 'batch/v1/cronjobs'],
  ['1.25', 'discovery.platform.io/v1beta1/endpointslices', 'discovery.platform.io/v1/endpointslices'],
  ['1.25', 'events.platform.io/v1beta1/events', 'events.platform.io/v1/events'],
  ['1.25', 'autoscaling/v2beta1/horizontalpodautoscalers', 'autoscaling/v2/horizontalpodautoscalers'],
  ['1.25', 'policy/v1beta1/poddisruptionbudgets', 'policy/v1/poddisruptionbudgets'],
  ['1.25', 'policy/v1beta1/podsecuritypolicies', ''],
  ['1.25', 'node.platform.io/v1beta1/runtimeclasses', 'node.platform.io/v1/runtimeclasses'],
  [
    '1.25',
    'admissionregistration.platform.io/v1beta1/mutatingwebhookconfigurations',
    'admissionregistration.platform.io/v1/mutatingwebhookconfigurations',
  ],
  [
    '1.25',
    'admissionregistration.platform.io/v1beta1/validatingwebhookconfigurations',
    'admissionregistration.platform.io/v1/validatingwebhookconfigurations',
  ],
  [
    '1.25',
    'apiextensions.platform.io/v1beta1/customresourcedefinitions',
    'apiextensions.platform.io/v1/customresourcedefinitions',
  ],
  ['1.25', 'apiregistration.platform.io/v1beta1/apiservices', 'apiregistration.platform.io/v1/apiservices'],
  [
    '1.25',
    'certificates.platform.io/v1beta1/certificatesigningrequests',
    'certificates.platform.io/v1/certificatesigningrequests',
  ],
  ['1.25', 'coordination.platform.io/v1beta1/leases', 'coordination.platform.io/v1/leases'],
  ['1.25', 'extensions/v1beta1/ingresses', 'networking.platform.io/v1/ingresses'],
  ['1.25', 'networking.platform.io/v1beta1/ingresses', 'networking.platform.io/v1/ingresses'],
  ['1.25', 'networking.platform.io/v1beta1/ingressclasses', 'networking.platform.io/v1/ingressclasses'],
  ['1.25', 'rbac.authorization.platform.io/v1beta1/clusterroles', 'rbac.authorization.platform.io/v1/clusterroles'],
  ['1.25', 'rbac.authorization.platform.io/v1beta1/roles', 'rbac.authorization.platform.io/v1/roles'],
  ['1.25', 'rbac.authorization.platform.io/v1beta1/rolebindings', 'rbac.authorization.platform.io/v1/rolebindings'],
  [
    '1.25',
    'rbac.authorization.platform.io/v1beta1/clusterrolebindings',
    'rbac.authorization.platform.io/v1/clusterrolebindings',
  ],
  ['1.25', 'scheduling.platform.io/v1beta1/priorityclasses', 'scheduling.platform.io/v1/priorityclasses'],
  ['1.25', 'storage.platform.io/v1beta1/csidrivers', 'storage.platform.io/v1/csidrivers'],
  ['1.25', 'storage.platform.io/v1beta1/csinodes', 'storage.platform.io/v1/csinodes'],
  ['1.25', 'storage.platform.io/v1beta1/storageclasses', 'storage.platform.io/v1/storageclasses'],
  ['1.25', 'storage.platform.io/v1beta1/volumeattachments', 'storage.platform.io/v1/volumeattachments'],
  ['1.25', 'extensions/v1beta1/networkpolicies', 'networking.platform.io/v1/networkpolicies'],
  ['1.25', 'extensions/v1beta1/deployments', 'apps/v1/deployments'],
  ['1.25', 'apps/v1beta1/deployments', 'apps/v1/deployments'],
  ['1.25', 'apps/v1beta2/statefulsets', 'apps/v1/statefulsets'],
  ['1.25', 'apps/v1beta2/daemonsets', 'apps/v1/daemonsets'],
  ['1.25', 'extensions/v1beta1/daemonsets', 'apps/v1/daemonsets'],
  ['1.25', 'extensions/v1beta1/replicasets', 'apps/v1/replicasets'],
  ['1.25', 'apps/v1beta1/statefulsets', 'apps/v1/statefulsets'],
  ['1.25', 'apps/v1beta2/deployments', 'apps/v1/deployments'],
  ['1.25', 'apps/v1beta2/replicasets', 'apps/v1/replicasets'],
  ['1.25', 'extensions/v1beta1/podsecuritypolicies', ''],
];

/** Reviews are posted, not listed. */
const REMOVED_REVIEWS = [
  'authentication.platform.io/v1beta1/tokenreviews',
  'authorization.platform.io/v1beta1/subjectaccessreviews',
  'authorization.platform.io/v1beta1/selfsubjectaccessreviews',
  'authorization.platform.io/v1beta1/selfsubjectrulesreviews',
  'authorization.platform.io/v1beta1/localsubjectaccessreviews',
];

const minorOf = (release: string): number => Number(release.split('.')[1]);

describe.each(['1.25', '1.26', '1.27'] as const)('a server like release %s', (release) => {
  let plane: TestServer;

  beforeAll(async () => {
    plane = await startTestServer({ emulatedVersion: release });
  });

  afterAll(() => plane.close());

  it('says so', async () => {
    const { text } = await plane.admin.request('GET', '/version');
    expect(JSON.parse(text)).toMatchObject({ major: '1', minor: release.split('.')[1] });
  });

  it.each(REMOVED)('since %s serves no %s, but %s', async (since, removed, instead) => {
    const { status } = await plane.admin.request('GET', `/apis/${removed}`);
    expect(status).toBe(minorOf(release) >= minorOf(since) ? 404 : 200);
    if (instead !== '') expect((await plane.admin.request('GET', `/apis/${instead}`)).status).toBe(200);
  });

  it.each(REMOVED_REVIEWS)('serves no %s', async (removed) => {
    expect((await plane.admin.request('POST', `/apis/${removed}`, {})).status).toBe(404);
  });

  it('names no version in discovery that it has removed', async () => {
    const { text } = await plane.admin.request('GET', '/apis');
    const gone = REMOVED.filter(([since]) => minorOf(release) >= minorOf(since)).map(([, removed]) => removed);
    const served: string[] = JSON.parse(text).groups.flatMap(
      ({ versions }: { versions: readonly { groupVersion: string }[] }) => versions.map((one) => one.groupVersion),
    );
    // A version may go on for other resources.
    const shared = new Set(['storage.platform.io/v1beta1']);
    const versions = new Set(gone.map((path) => path.replace(/\/[^/]+$/, '')));
    expect(served.filter((version) => versions.has(version) && !shared.has(version))).toEqual([]);
  });
});

const FLOWS = '/apis/flowcontrol.apiserver.platform.io';
const SCALERS = 'namespaces/default/horizontalpodautoscalers';
const CAPACITIES = 'namespaces/default/csistoragecapacities';

/** What this release still serves in versions that later ones do not: an object of each, and a change of it. */
const KEPT = [
  {
    removed: `/apis/autoscaling/v2beta2/${SCALERS}`,
    instead: `/apis/autoscaling/v2/${SCALERS}`,
    object: { spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' } } },
    change: { spec: { maxReplicas: 5 } },
  },
  {
    removed: `${FLOWS}/v1beta1/flowschemas`,
    instead: `${FLOWS}/v1beta2/flowschemas`,
    object: { spec: { priorityLevelConfiguration: { name: 'exempt' }, matchingPrecedence: 40 } },
    change: { spec: { matchingPrecedence: 50 } },
  },
  {
    removed: `${FLOWS}/v1beta1/prioritylevelconfigurations`,
    instead: `${FLOWS}/v1beta2/prioritylevelconfigurations`,
    object: {
      spec: { type: 'Limited', limited: { assuredConcurrencyShares: 7, limitResponse: { type: 'Reject' } } },
    },
    change: { spec: { limited: { assuredConcurrencyShares: 9 } } },
  },
  {
    removed: `/apis/storage.platform.io/v1beta1/${CAPACITIES}`,
    instead: `/apis/storage.platform.io/v1/${CAPACITIES}`,
    object: { storageClassName: 'fast', capacity: '5Gi' },
    change: { capacity: '7Gi' },
  },
];

describe('an upgrade', () => {
  it('leaves objects readable that were written in a version that is gone, and a rollback too', async () => {
    const dataDir = await temporaryDirectory();
    const before = await startTestServer({ store: 'lmdb', dataDir });
    for (const { removed, object } of KEPT) {
      const { status, text } = await before.admin.request('POST', removed, { metadata: { name: 'a' }, ...object });
      expect(status, text).toBe(201);
    }
    await before.close();
    const after = await startTestServer({ store: 'lmdb', dataDir, emulatedVersion: '1.27' });
    for (const { removed, instead, object, change } of KEPT) {
      expect((await after.admin.request('GET', `${removed}/a`)).status).toBe(404);
      expect((await after.admin.request('GET', `${instead}/a`)).body).toMatchObject(object);
      expect((await after.admin.request('PATCH', `${instead}/a`, change)).status).toBe(200);
    }
    await after.close();
    const back = await startTestServer({ store: 'lmdb', dataDir });
    for (const { removed, change } of KEPT) {
      expect((await back.admin.request('GET', `${removed}/a`)).body).toMatchObject(change);
    }
    await back.close();
  });

  it('cannot be told to serve what is gone', async () => {
    const plane = await startTestServer({ emulatedVersion: '1.26', runtimeConfig: ['autoscaling/v2beta2=true'] });
    const { status } = await plane.admin.request('GET', '/apis/autoscaling/v2beta2/horizontalpodautoscalers');
    expect(status).toBe(404);
    await plane.close();
  });
});
