import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endCommands, startCommand } from './support/command.ts';
import { describeKubectl, Kubectl } from './support/kubectl.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

let directory: string;

let kubectl: Kubectl;

const run = (args: readonly string[], until?: RegExp) => kubectl.run(args, until);
const succeed = (...args: string[]) => kubectl.succeed(...args);

/** The words of a printed table, line by line. */
const cellsOf = (table: string): string[][] =>
  table
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/).map((cell) => cell.trim()));

describeKubectl('kubectl', (program) => {
  beforeAll(async () => {
    directory = await makeDirectory();
    await startCommand(directory, '--vocabulary=kubernetes').ready();
    kubectl = new Kubectl(program, directory, join(directory, '.platform', 'admin.conf'));
  });

  afterAll(async () => {
    await endCommands();
    await removeDirectory(directory);
  });

  it('lists namespaces', async () => {
    const [header, ...rows] = cellsOf(await succeed('get', 'ns'));
    expect(header).toEqual(['NAME', 'STATUS', 'AGE']);
    expect(rows.map(([name, status]) => `${name} ${status}`)).toEqual([
      'default Active',
      'kube-node-lease Active',
      'kube-public Active',
      'kube-system Active',
    ]);
  });

  it('creates, labels, shows and deletes a config map', async () => {
    expect(await succeed('create', 'configmap', 'colours', '--from-literal=sky=blue')).toBe(
      'configmap/colours created\n',
    );
    await succeed('label', 'configmap', 'colours', 'tier=front');
    const yaml = await succeed('get', 'configmap', 'colours', '-o', 'yaml');
    expect(yaml).toContain('sky: blue');
    expect(yaml).toContain('tier: front');
    expect(await succeed('get', 'cm', '-l', 'tier=front', '-o', 'name')).toBe('configmap/colours\n');
    expect(await succeed('delete', 'configmap', 'colours')).toMatch(/^configmap "colours" deleted/);
    const gone = await run(['get', 'configmap', 'colours']);
    expect(gone).toMatchObject({
      code: 1,
      stderr: 'Error from server (NotFound): configmaps "colours" not found\n',
    });
  });

  it('creates a deployment and sees its changes as they come', async () => {
    expect(await succeed('create', 'deployment', 'web', '--image=example/web:1')).toBe('deployment.apps/web created\n');
    let over = false;
    const watching = run(['get', 'deploy', 'web', '-w'], /web .*\n.*web .*\n/).finally(() => {
      over = true;
    });
    // Nobody can tell when the watch begins: the changes go on until it has seen one.
    for (let replicas = 2; !over; replicas = 5 - replicas) {
      await succeed('patch', 'deployment', 'web', '--type=merge', '-p', `{"spec":{"replicas":${replicas}}}`);
    }
    const [header, first, second] = cellsOf((await watching).stdout);
    expect(header).toEqual(['NAME', 'READY', 'UP-TO-DATE', 'AVAILABLE', 'AGE']);
    expect(first?.slice(0, 4)).toEqual(['web', expect.stringMatching(/^0\/[123]$/), '0', '0']);
    expect(second?.slice(0, 4)).toEqual(['web', expect.stringMatching(/^0\/[23]$/), '0', '0']);
    expect(second?.[1]).not.toBe(first?.[1]);
    expect(await succeed('delete', 'deployment', 'web')).toMatch(/^deployment.apps "web" deleted/);
  });

  it('creates from a manifest, and shows pods as a table', async () => {
    const manifest = `
apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: v1
kind: Pod
metadata:
  name: till
  namespace: shop
spec:
  containers:
    - name: main
      image: example/till:1
    - name: side
      image: example/side:1
`;
    await writeFile(join(directory, 'shop.yaml'), manifest);
    expect(await succeed('create', '-f', 'shop.yaml')).toBe('namespace/shop created\npod/till created\n');
    const [header, row] = cellsOf(await succeed('get', 'pods', '-n', 'shop'));
    expect(header).toEqual(['NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE']);
    expect(row?.slice(0, 4)).toEqual(['till', '0/2', 'Pending', '0']);
    const [wide] = cellsOf(await succeed('get', 'pods', '-A', '-o', 'wide'));
    expect(wide).toEqual([
      'NAMESPACE',
      'NAME',
      'READY',
      'STATUS',
      'RESTARTS',
      'AGE',
      'IP',
      'NODE',
      'NOMINATED NODE',
      'READINESS GATES',
    ]);
    await succeed('delete', 'namespace', 'shop');
    expect(await succeed('get', 'pods', '-A', '--ignore-not-found')).toBe('');
  });

  it('lists what there is', async () => {
    const rows = cellsOf(await succeed('api-resources', '--no-headers'));
    const find = (name: string) => rows.find(([first]) => first === name)?.slice(1);
    expect(find('pods')).toEqual(['po', 'v1', 'true', 'Pod']);
    expect(find('deployments')).toEqual(['deploy', 'apps/v1', 'true', 'Deployment']);
    expect(find('clusterroles')).toEqual(['rbac.authorization.k8s.io/v1', 'false', 'ClusterRole']);
    expect(await succeed('api-versions')).toContain('storage.k8s.io/v1\n');
  });

  it('asks for health and version', async () => {
    const text = await succeed('get', '--raw', '/readyz?verbose');
    expect(text).toMatch(/^(\[\+\]\S+ ok\n)+readyz check passed\n$/);
    expect(text).toContain('[+]poststarthook/bootstrap-controller ok\n');
    // It warns of a server that is much older or newer than itself.
    const { stdout } = await run(['version', '--output=json']);
    expect(JSON.parse(stdout).serverVersion).toMatchObject({ major: '1', minor: '25' });
  });

  it('applies a manifest again and again, from its side and from the side of the server', async () => {
    const manifest = (replicas: number): string => `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: applied
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: applied}}
  template:
    metadata: {labels: {app: applied}}
    spec: {containers: [{name: main, image: "example/main:1"}]}
`;
    const apply = async (replicas: number, ...flags: string[]): Promise<string> => {
      await writeFile(join(directory, 'applied.yaml'), manifest(replicas));
      return succeed('apply', '-f', 'applied.yaml', ...flags);
    };
    expect(await apply(1)).toBe('deployment.apps/applied created\n');
    expect(await apply(1)).toBe('deployment.apps/applied unchanged\n');
    expect(await apply(2)).toBe('deployment.apps/applied configured\n');
    expect(await apply(3, '--server-side', '--force-conflicts')).toBe('deployment.apps/applied serverside-applied\n');
    expect(await succeed('get', 'deploy', 'applied', '-o', 'jsonpath={.spec.replicas}')).toBe('3');
    expect(await succeed('scale', 'deploy', 'applied', '--replicas=4')).toBe('deployment.apps/applied scaled\n');
    expect(await succeed('get', 'deploy', 'applied', '-o', 'jsonpath={.spec.replicas}')).toBe('4');
    expect(await succeed('delete', '-f', 'applied.yaml')).toMatch(/^deployment.apps "applied" deleted/);
  });

  it('finds mistakes in a manifest, by itself or by asking the server', async () => {
    await writeFile(
      join(directory, 'wrong.yaml'),
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {colour: red}\n',
    );
    const { code, stderr } = await run(['create', '-f', 'wrong.yaml']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/unknown field "(spec\.)?colour"/);
    expect((await run(['get', 'pod', 'a'])).stderr).toContain('(NotFound)');
    expect(await succeed('explain', 'deployment.spec.replicas')).toMatch(
      /KIND: +Deployment[\s\S]*FIELD: +replicas <integer>/,
    );
  });

  it('asks what it may do', async () => {
    expect(await succeed('auth', 'can-i', 'delete', 'pods')).toBe('yes\n');
    expect(await succeed('auth', 'can-i', '--list')).toMatch(/^\*\.\* +\[\] +\[\] +\[\*\]$/m);
  });

  it('asks for tokens, uses them, and acts as others', async () => {
    await succeed('create', 'serviceaccount', 'robot');
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    await writeFile(join(directory, 'request.json'), JSON.stringify(request));
    const path = '/api/v1/namespaces/default/serviceaccounts/robot/token';
    const { token } = JSON.parse(await succeed('create', `--raw=${path}`, '--filename=request.json')).status;
    const { clusters } = JSON.parse(await succeed('config', 'view', '--raw', '--output=json'));
    const { server, 'certificate-authority-data': ca } = clusters[0].cluster;
    await writeFile(join(directory, 'ca.crt'), Buffer.from(ca, 'base64'));
    const plain = [
      '--kubeconfig=/dev/null',
      `--server=${server}`,
      '--certificate-authority=ca.crt',
      `--token=${token}`,
    ];
    expect((await run([...plain, 'get', 'secrets'])).stderr).toContain('User "system:serviceaccount:default:robot"');
    await succeed('create', 'rolebinding', 'robot', '--clusterrole=view', '--serviceaccount=default:robot');
    expect(await succeed('auth', 'can-i', 'list', 'pods', '--as=system:serviceaccount:default:robot')).toBe('yes\n');
    expect(JSON.parse(await succeed(...plain, 'get', 'pods', '--output=json')).kind).toBe('List');
    await succeed('delete', 'serviceaccount', 'robot');
    expect((await run([...plain, 'get', 'pods'])).stderr).toMatch(/Unauthorized|logged in/);
  });
});
