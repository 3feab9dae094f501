import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CertificateRequests } from './support/certificate-requests.ts';
import type { Headers } from './support/client.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** Requests that are approved because of who makes them. */

const runtime = new ShiftableRuntime();
let plane: TestServer;
let requests: CertificateRequests;
beforeAll(async () => {
  plane = await startTestServer({ runtime });
  requests = new CertificateRequests(plane);
  await Promise.all([
    allow('ask', { resources: ['certificatesigningrequests'] }, 'system:authenticated'),
    bind('joining', 'system:certificates.platform.io:certificatesigningrequests:nodeclient', 'joining'),
    bind('renewing', 'system:certificates.platform.io:certificatesigningrequests:selfnodeclient', 'renewing'),
  ]);
});
afterAll(() => plane.close());

const RBAC = 'rbac.authorization.platform.io';

async function bind(name: string, role: string, group: string): Promise<void> {
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: role };
  const subjects = [{ apiGroup: RBAC, kind: 'Group', name: group }];
  const made = await plane.admin.request('POST', `/apis/${RBAC}/v1/clusterrolebindings`, {
    metadata: { name },
    roleRef,
    subjects,
  });
  expect(made.status).toBe(201);
}

async function allow(name: string, rule: object, group: string): Promise<void> {
  const rules = [{ apiGroups: ['certificates.platform.io'], verbs: ['create'], ...rule }];
  const made = await plane.admin.request('POST', `/apis/${RBAC}/v1/clusterroles`, { metadata: { name }, rules });
  expect(made.status).toBe(201);
  await bind(name, name, group);
}

const as = (user: string, ...groups: string[]): Headers => ({
  'impersonate-user': user,
  'impersonate-group': ['system:authenticated', ...groups],
});

const NODE = 'platform.io/apiserver-client-node';
const USAGES = ['client auth', 'digital signature', 'key encipherment'];
const subjectOf = (commonName: string) => ({ subject: { commonName, organizations: ['system:nodes'] } });
const nodeRequest = (name: string) => ({ signerName: NODE, usages: USAGES, request: subjectOf(`system:node:${name}`) });

let made = 0;
async function ask(wanted: Parameters<CertificateRequests['create']>[1], headers: Headers): Promise<string> {
  const name = `a${made++}`;
  expect((await requests.create(name, wanted, headers)).status).toBe(201);
  return name;
}

describe('a request is approved at once, and signed', () => {
  it.each([
    [
      'of a machine that joins',
      as('machine', 'joining'),
      'Auto approving kubelet client certificate after SubjectAccessReview.',
    ],
    [
      'of a node that renews its own',
      as('system:node:n1', 'renewing'),
      'Auto approving self kubelet client certificate after SubjectAccessReview.',
    ],
    [
      'of a node that may both',
      as('system:node:n1', 'renewing', 'joining'),
      'Auto approving self kubelet client certificate after SubjectAccessReview.',
    ],
    [
      'of a node for itself, as one that joins',
      as('system:node:n1', 'joining'),
      'Auto approving kubelet client certificate after SubjectAccessReview.',
    ],
  ])('%s', async (_what, headers, message) => {
    const name = await ask(nodeRequest('n1'), headers);
    const { status } = await requests.become(name, (request) => Boolean(request.status.certificate));
    expect(status.conditions).toMatchObject([{ type: 'Approved', status: 'True', reason: 'AutoApproved', message }]);
  });
});

describe('a request waits for somebody to decide', () => {
  it.each([
    ['of one without the right', nodeRequest('n1'), as('machine')],
    ['of a node for another', nodeRequest('n2'), as('system:node:n1', 'renewing')],
    ['of another signer', { ...nodeRequest('n1'), signerName: 'example.com/own' }, as('machine', 'joining')],
    [
      'for a server',
      { ...nodeRequest('n1'), usages: ['server auth', 'digital signature', 'key encipherment'] },
      as('machine', 'joining'),
    ],
    [
      'with a host',
      { ...nodeRequest('n1'), request: { ...subjectOf('system:node:n1'), names: { dns: ['n1'] } } },
      as('machine', 'joining'),
    ],
    ['for no node', { ...nodeRequest('n1'), request: subjectOf('ann') }, as('machine', 'joining')],
  ])('%s', async (_what, wanted, headers) => {
    const name = await ask(wanted, headers);
    // By then the loop has looked at what came before.
    const later = await ask(nodeRequest('n1'), as('machine', 'joining'));
    await requests.become(later, (request) => Boolean(request.status.certificate));
    expect((await requests.read(name))?.status.conditions).toBeUndefined();
  });
});

it('the right may be given later', async () => {
  const name = await ask(nodeRequest('n1'), as('machine', 'late'));
  await bind('late', 'system:certificates.platform.io:certificatesigningrequests:nodeclient', 'late');
  const approved = requests.become(name, (request) => Boolean(request.status.certificate));
  runtime.advance(2_000);
  expect((await approved).status.conditions).toMatchObject([{ reason: 'AutoApproved' }]);
});

it('what was decided is not decided again', async () => {
  const name = await ask(nodeRequest('n1'), as('machine', 'even-later'));
  expect((await requests.decide(name, 'Denied')).status).toBe(200);
  await bind('even-later', 'system:certificates.platform.io:certificatesigningrequests:nodeclient', 'even-later');
  runtime.advance(2_000);
  const later = await ask(nodeRequest('n1'), as('machine', 'even-later'));
  await requests.become(later, (request) => Boolean(request.status.certificate));
  expect((await requests.read(name))?.status.conditions).toMatchObject([{ type: 'Denied', reason: 'Test' }]);
});

it('it is the same in the words of the original', async () => {
  const own = await startTestServer({ vocabulary: 'kubernetes' });
  onTestFinished(() => own.close());
  const rbac = 'rbac.authorization.k8s.io';
  const role = 'system:certificates.k8s.io:certificatesigningrequests:nodeclient';
  await own.admin.request('POST', `/apis/${rbac}/v1/clusterrolebindings`, {
    metadata: { name: 'joining' },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: rbac, kind: 'Group', name: 'system:masters' }],
  });
  const theirs = new CertificateRequests(own, 'certificates.k8s.io');
  const wanted = { ...nodeRequest('n1'), signerName: 'kubernetes.io/kube-apiserver-client-kubelet' };
  expect((await theirs.create('n1', wanted)).status).toBe(201);
  const { status } = await theirs.become('n1', (request) => Boolean(request.status.certificate));
  expect(status.conditions).toMatchObject([{ type: 'Approved', reason: 'AutoApproved' }]);
});
