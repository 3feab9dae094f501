import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createObjects } from './beside-kubectl/objects.ts';
import { requestPem } from './support/certificates.ts';
import { endCommands, startCommand } from './support/command.ts';
import { Platformctl } from './support/platformctl.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

let directory: string;
let configFile: string;
let platformctl: Platformctl;

const OBJECTS = `apiVersion: v1
kind: Node
metadata: {name: node-a, labels: {node-role.platform.io/worker: ""}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}, annotations: {deployment.platform.io/revision: "1"}}
spec: {replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}}
status: {observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1}
---
apiVersion: v1
kind: Pod
metadata: {name: kept, labels: {app: kept}}
spec: {nodeName: node-a, terminationGracePeriodSeconds: 0, containers: [{name: c, image: i}]}
status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: keep}
spec: {minAvailable: 1, selector: {matchLabels: {app: kept}}}
`;

beforeAll(async () => {
  directory = await makeDirectory();
  await startCommand(directory, '--controllers=*,-disruption,-podgc').ready();
  configFile = join(directory, '.platform', 'admin.conf');
  platformctl = new Platformctl(directory, configFile);
  await createObjects(configFile, OBJECTS, 'default');
});

afterAll(async () => {
  await endCommands();
  await removeDirectory(directory);
});

describe('in the neutral vocabulary', () => {
  it('describe knows kinds, roles and labels by their own names', async () => {
    const node = await platformctl.succeed('describe', 'node', 'node-a');
    expect(node).toMatch(/^Roles: +worker$/m);
    expect(node).toMatch(/^ {2}Proxy Version: /m);
    expect(await platformctl.succeed('describe', 'clusterrole', 'system:basic-user')).toContain(
      'selfsubjectaccessreviews.authorization.platform.io',
    );
  });

  it('rollout status finds the revision, and restart leaves its own annotation', async () => {
    expect(await platformctl.succeed('rollout', 'status', 'deploy/web', '--revision=1')).toBe(
      'deployment "web" successfully rolled out\n',
    );
    await platformctl.succeed('rollout', 'restart', 'deploy/web');
    const annotations = await platformctl.succeed(
      'get',
      'deploy',
      'web',
      '-o',
      'jsonpath={.spec.template.metadata.annotations}',
    );
    expect(annotations).toContain('ctl.platform.io/restartedAt');
  });

  it('auth can-i asks in its own groups', async () => {
    expect(await platformctl.succeed('auth', 'can-i', 'get', 'pods')).toBe('yes\n');
    expect(await platformctl.succeed('auth', 'can-i', '--list')).toContain('*.*');
  });
});

describe('what waits', () => {
  it('sees a condition that comes later', async () => {
    const waiting = platformctl.run(['wait', 'cm/later', '--for=create', '--timeout=60s']);
    await platformctl.succeed('create', 'configmap', 'later');
    expect(await waiting).toEqual({ code: 0, stdout: 'configmap/later condition met\n', stderr: '' });
  });
});

describe('a name with signs that mean something in selectors', () => {
  const NAME = 'readers=a,b';

  it('is waited for, watched and asked about like any other', async () => {
    const waiting = platformctl.run(['wait', `clusterrole/${NAME}`, '--for=create', '--timeout=60s']);
    await platformctl.succeed('create', 'clusterrole', NAME, '--verb=get', '--resource=pods');
    expect(await waiting).toMatchObject({ code: 0, stderr: '' });
    const met = `clusterrole.rbac.authorization.platform.io/${NAME} condition met\n`;
    expect(await platformctl.succeed('wait', `clusterrole/${NAME}`, '--for=jsonpath={.rules[0].verbs[0]}=get')).toBe(
      met,
    );
    const watched = await platformctl.run(['get', 'clusterrole', NAME, '-w', '-o=name'], { until: /readers/ });
    expect(watched).toMatchObject({ stdout: `clusterrole.rbac.authorization.platform.io/${NAME}\n`, stderr: '' });
    expect((await platformctl.run(['events', `--for=clusterrole/${NAME}`])).stderr).toMatch(/^No events found/);
    const gone = platformctl.run(['wait', `clusterrole/${NAME}`, '--for=delete', '--timeout=60s']);
    await platformctl.succeed('delete', 'clusterrole', NAME);
    expect(await gone).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('drain', () => {
  it('tries again while a budget allows nothing, until its time is over', async () => {
    const { code, stderr, stdout } = await platformctl.run(['drain', 'node-a', '--force', '--timeout=1s']);
    expect(code).toBe(1);
    expect(stdout).toContain('evicting pod default/kept');
    expect(stderr).toContain(
      'error when evicting pods/"kept" -n "default" (will retry after 5s): Cannot evict pod as it would violate the pod\'s disruption budget.',
    );
    expect(stderr).toContain('global timeout reached');
  });

  it('deletes whatever budgets say when it is told to', async () => {
    const { code, stdout } = await platformctl.run(['drain', 'node-a', '--force', '--disable-eviction']);
    expect(stdout).toContain('pod/kept deleted');
    expect(code).toBe(0);
  });
});

describe('certificate', () => {
  it('approves a request once, and does not take a decision back', async () => {
    const pem = requestPem({ subject: { commonName: 'jane' } });
    const request = {
      apiVersion: 'certificates.platform.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'jane' },
      spec: {
        request: Buffer.from(pem).toString('base64'),
        signerName: 'example.com/signer',
        usages: ['client auth'],
      },
    };
    await createObjects(configFile, JSON.stringify(request), 'default');
    const name = 'certificatesigningrequest.certificates.platform.io/jane';
    expect(await platformctl.succeed('certificate', 'approve', 'jane')).toBe(`${name} approved\n`);
    expect(await platformctl.succeed('describe', 'csr', 'jane')).toMatch(/^Status: +Approved$/m);
    expect((await platformctl.run(['certificate', 'deny', 'jane'])).stderr).toContain('is already approved');
  });
});
