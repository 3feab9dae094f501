import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeKubectl, Kubectl } from './support/kubectl.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

let directory: string;
let plane: TestServer;
let kubectl: Kubectl;

const labels = { app: 'shop' };
const selector = { matchLabels: labels };
const container = { name: 'main', image: 'example/shop:1', ports: [{ name: 'web', containerPort: 8080 }] };
const template = { metadata: { labels }, spec: { containers: [container] } };
const once = { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } };

/** One object of each of many kinds: `kind`, where it is from, and what it says beside its name. */
const OBJECTS: readonly (readonly [kind: string, apiVersion: string, object: object])[] = [
  ['ConfigMap', 'v1', { data: { a: '1' } }],
  ['Secret', 'v1', { data: { password: 'eA==' } }],
  ['ServiceAccount', 'v1', {}],
  ['Service', 'v1', { spec: { selector: labels, ports: [{ name: 'web', port: 80, targetPort: 'web' }] } }],
  ['Pod', 'v1', { spec: template.spec }],
  ['ReplicationController', 'v1', { spec: { selector: labels, template } }],
  [
    'LimitRange',
    'v1',
    {
      spec: { limits: [{ type: 'Container', max: { cpu: '4' }, default: { cpu: '1' }, defaultRequest: { cpu: '1' } }] },
    },
  ],
  ['ResourceQuota', 'v1', { spec: { hard: { pods: '100' } } }],
  [
    'PersistentVolumeClaim',
    'v1',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  ],
  [
    'PersistentVolume',
    'v1',
    { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], nfs: { server: 's', path: '/' } } },
  ],
  ['Node', 'v1', {}],
  ['Deployment', 'apps/v1', { spec: { selector, template } }],
  ['ReplicaSet', 'apps/v1', { spec: { selector, template } }],
  ['StatefulSet', 'apps/v1', { spec: { selector, template, serviceName: 'shop' } }],
  ['DaemonSet', 'apps/v1', { spec: { selector, template } }],
  ['Job', 'batch/v1', once],
  [
    'Ingress',
    'networking.k8s.io/v1',
    { spec: { defaultBackend: { service: { name: 'shop', port: { number: 80 } } } } },
  ],
  ['NetworkPolicy', 'networking.k8s.io/v1', { spec: { podSelector: selector } }],
  ['IngressClass', 'networking.k8s.io/v1', { spec: { controller: 'example.com/controller' } }],
  ['Role', 'rbac.authorization.k8s.io/v1', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }],
  [
    'RoleBinding',
    'rbac.authorization.k8s.io/v1',
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'shop' },
      subjects: [{ kind: 'ServiceAccount', name: 'shop', namespace: 'default' }],
    },
  ],
  ['PodDisruptionBudget', 'policy/v1', { spec: { selector, minAvailable: 1 } }],
  [
    'HorizontalPodAutoscaler',
    'autoscaling/v1',
    { spec: { scaleTargetRef: { kind: 'Deployment', name: 'shop' }, maxReplicas: 3 } },
  ],
  ['PriorityClass', 'scheduling.k8s.io/v1', { value: 5 }],
  ['StorageClass', 'storage.k8s.io/v1', { provisioner: 'example.com/disks' }],
  ['Lease', 'coordination.k8s.io/v1', { spec: { holderIdentity: 'me' } }],
];

/** How many lists were answered with 200, by the name of what was listed. */
async function answeredLists(): Promise<Map<string, number>> {
  const { text } = await plane.admin.request('GET', '/metrics');
  const counts = new Map<string, number>();
  for (const [, labels = '', count] of text.matchAll(/^apiserver_request_total\{(.*)\} (\d+)$/gm)) {
    const of = Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
    if (of.verb !== 'LIST' || of.code !== '200') continue;
    const name = [of.resource, of.group].filter(Boolean).join('.');
    counts.set(name, (counts.get(name) ?? 0) + Number(count));
  }
  return counts;
}

describeKubectl('kubectl, over the whole catalogue', (program) => {
  beforeAll(async () => {
    directory = await makeDirectory();
    plane = await startTestServer({ vocabulary: 'kubernetes' });
    await writeFile(join(directory, 'admin.conf'), plane.server.adminConfig);
    kubectl = new Kubectl(program, directory, join(directory, 'admin.conf'));
    const items = OBJECTS.map(([kind, apiVersion, object]) => ({
      apiVersion,
      kind,
      metadata: { name: 'shop' },
      ...object,
    }));
    await writeFile(join(directory, 'all.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  });

  afterAll(async () => {
    await plane.close();
    await removeDirectory(directory);
  });

  it('applies one object each of many kinds, having checked them against what the server says of itself', async () => {
    const lines = (await kubectl.succeed('apply', '-f', 'all.json')).trimEnd().split('\n');
    expect(lines).toHaveLength(OBJECTS.length);
    expect(lines.filter((line) => !line.endsWith('/shop created'))).toEqual([]);
  });

  it('applies them again, and nothing changes', async () => {
    const path = '-o=jsonpath={range .items[*]}{.kind} {.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}';
    const versions = (): Promise<string> => kubectl.succeed('get', '-f', 'all.json', path);
    const before = await versions();
    expect(before.trimEnd().split('\n')).toHaveLength(OBJECTS.length);
    await kubectl.succeed('apply', '-f', 'all.json');
    expect(await versions()).toBe(before);
  });

  it('finds all of it again', async () => {
    const printed = await kubectl.succeed('get', 'all', '-A');
    const expected = ['pod/shop', 'service/shop', 'deployment.apps/shop', 'statefulset.apps/shop', 'job.batch/shop'];
    for (const name of expected) expect(printed).toContain(name);
  });

  it('shows everything that can be listed as tables of the server', async () => {
    const names = (await kubectl.succeed('api-resources', '--verbs=list', '-o', 'name')).trimEnd().split('\n');
    expect(names.length).toBeGreaterThan(40);
    const before = await answeredLists();
    const { code, stdout, stderr } = await kubectl.run(['get', names.join(','), '-A']);
    expect(code, stderr).toBe(0);
    const after = await answeredLists();
    const listed = names.filter((name) => (after.get(name) ?? 0) > (before.get(name) ?? 0));
    expect(listed).toEqual(names);
    for (const column of ['READY', 'CLUSTER-IP', 'ACCESS MODES', 'PROVISIONER', 'HOLDER', 'MIN AVAILABLE', 'ROLE']) {
      expect(stdout).toContain(column);
    }
  });

  it('explains fields', async () => {
    const containers = await kubectl.succeed('explain', 'pod.spec.containers');
    expect(containers).toMatch(/^KIND: +Pod$/m);
    expect(containers).toMatch(/^ +imagePullPolicy\t<string>/m);
    expect(await kubectl.succeed('explain', 'deployment.spec', '--recursive')).toMatch(
      /^ +minReadySeconds\t<integer>/m,
    );
  });

  it('scales', async () => {
    expect(await kubectl.succeed('scale', 'deployment/shop', '--replicas=3')).toBe('deployment.apps/shop scaled\n');
    expect(await kubectl.succeed('get', 'deployment/shop', '-o', 'jsonpath={.spec.replicas}')).toBe('3');
  });

  it.each([
    ['deployment/shop', /^Replicas: +3 desired/m],
    ['pod/shop', /^ +Image: +example\/shop:1$/m],
    ['service/shop', /^TargetPort: +web\/TCP$/m],
    ['node/shop', /^Taints: +node\.kubernetes\.io\/not-ready:NoSchedule$/m],
    ['persistentvolumeclaim/shop', /^Status: +Pending$/m],
    ['limitrange/shop', /^Container +cpu +- +4 +1 +1 +-$/m],
    ['rolebinding/shop', /^ +Name: +shop$/m],
  ])('describes %s', async (what, text) => {
    expect(await kubectl.succeed('describe', what)).toMatch(text);
  });

  it('deletes all of it', async () => {
    const { code, stdout, stderr } = await kubectl.run(['delete', '-f', 'all.json', '--wait=false']);
    expect(code, stderr).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(OBJECTS.length);
  });
});
