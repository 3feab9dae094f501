import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventsOf, eventually, policyFile } from './support/audit.ts';
import type { Answer } from './support/client.ts';
import { customObject, define, definition, version } from './support/definitions.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** What stands around every kind stands around custom ones: roles, audit, metrics. */

const GROUP = 'seen.example.com';
const RBAC = '/apis/rbac.authorization.platform.io/v1';
const pathOf = (name: string, namespace = 'default'): string => `/apis/${GROUP}/${name}/namespaces/${namespace}/lamps`;

let plane: TestServer;
let directory: string;
let log: string;

beforeAll(async () => {
  directory = await makeDirectory();
  log = `${directory}/audit.log`;
  const auditPolicyFile = await policyFile(directory, [{ level: 'Metadata' }]);
  plane = await startTestServer({ authorizationMode: ['RBAC'], auditPolicyFile, auditLogPath: log });
  const versions = [
    version('v1alpha1', {}, { deprecated: true }),
    version('v1beta1', {}, { deprecated: true, deprecationWarning: 'lamps are for v1' }),
    version('v1'),
  ];
  await define(plane.admin, definition('lamps', GROUP, versions), pathOf('v1'));
});

afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

const make = (kind: string, namespace: string, document: object): Promise<Answer> =>
  plane.admin.request('POST', `${RBAC}${namespace === '' ? '' : `/namespaces/${namespace}`}/${kind}`, document);

/** As someone of whom only the roles are known. */
const askAs = (user: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  plane.admin.request(method, path, body, { 'impersonate-user': user });

it('roles let in to custom kinds by group, resource, verb, namespace and name', async () => {
  const rules = [
    { apiGroups: [GROUP], resources: ['lamps'], verbs: ['get', 'list', 'create'] },
    { apiGroups: [GROUP], resources: ['lamps'], resourceNames: ['mine'], verbs: ['delete'] },
  ];
  await make('roles', 'default', { metadata: { name: 'lighter' }, rules });
  const roleRef = { apiGroup: 'rbac.authorization.platform.io', kind: 'Role', name: 'lighter' };
  const subjects = [{ kind: 'User', name: 'jo', apiGroup: 'rbac.authorization.platform.io' }];
  const bound = await make('rolebindings', 'default', { metadata: { name: 'lighter' }, roleRef, subjects });
  expect(bound.status, bound.text).toBe(201);
  const lamp = (name: string): object => customObject(pathOf('v1'), { metadata: { name } });
  const statuses = [];
  for (const [method, path, body] of [
    ['POST', pathOf('v1'), lamp('mine')],
    ['POST', pathOf('v1'), lamp('other')],
    ['GET', pathOf('v1')],
    ['GET', pathOf('v1beta1')],
    ['DELETE', `${pathOf('v1')}/mine`],
    ['DELETE', `${pathOf('v1')}/other`],
    ['PATCH', `${pathOf('v1')}/other`, {}],
    ['GET', pathOf('v1', 'platform-system')],
    ['GET', `/apis/${GROUP}/v1/lamps`],
  ] as const) {
    statuses.push((await askAs('jo', method, path, body)).status);
  }
  expect(statuses).toEqual([201, 201, 200, 200, 200, 403, 403, 403, 403]);
  expect((await askAs('jim', 'GET', pathOf('v1'))).body.message).toBe(
    `lamps.${GROUP} is forbidden: User "jim" cannot list resource "lamps" in API group "${GROUP}" in the namespace "default"`,
  );
});

it('aggregated roles take in what a role grants for custom kinds', async () => {
  const labels = { 'rbac.authorization.platform.io/aggregate-to-view': 'true' };
  const rules = [{ apiGroups: [GROUP], resources: ['lamps'], verbs: ['list'] }];
  await make('clusterroles', '', { metadata: { name: 'lamps-viewer', labels }, rules });
  const roleRef = { apiGroup: 'rbac.authorization.platform.io', kind: 'ClusterRole', name: 'view' };
  const subjects = [{ kind: 'User', name: 'viewer', apiGroup: 'rbac.authorization.platform.io' }];
  await make('clusterrolebindings', '', { metadata: { name: 'viewer' }, roleRef, subjects });
  await eventually(async () => ((await askAs('viewer', 'GET', pathOf('v1'))).status === 200 ? true : undefined));
});

it('the use of deprecated versions is told to the client, recorded and counted', async () => {
  const asked = await Promise.all(
    ['v1alpha1', 'v1beta1', 'v1'].map((name) => plane.admin.request('GET', pathOf(name))),
  );
  expect(asked.map(({ headers }) => headers.warning)).toEqual([
    `299 - "${GROUP}/v1alpha1 Lamp is deprecated; use ${GROUP}/v1 Lamp"`,
    '299 - "lamps are for v1"',
    undefined,
  ]);
  const marks = [];
  for (const { headers } of asked) {
    const event = await eventually(async () => {
      const events = await eventsOf(log, String(headers['audit-id']));
      return events.find(({ stage }) => stage === 'ResponseComplete');
    });
    marks.push(event.annotations?.['platform.io/deprecated']);
  }
  expect(marks).toEqual(['true', 'true', undefined]);
  const { text } = await plane.admin.request('GET', '/metrics');
  const counted = text.split('\n').filter((line) => line.startsWith('apiserver_requested_deprecated_apis{'));
  const ours = counted.filter((line) => line.includes(GROUP));
  expect(ours.map((line) => /version="([^"]+)"/.exec(line)?.[1]).toSorted()).toEqual(['v1alpha1', 'v1beta1']);
});
