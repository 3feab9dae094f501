import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeKubectl, Kubectl, type Run } from './support/kubectl.ts';
import type { KubectlProgram } from './support/peers.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/**
 * kubectl explains kinds by the published schemas: old releases by the binary form of version 2, those from 1.27 by
 * version 3. It also checks what it sends: by version 2 itself, or from 1.25 by asking the server to be strict, for which
 * the schemas must say that the server can be asked.
 */
const EXPLAINS_BY_V3 = 27;
const SERVER_VALIDATES = 25;

let plane: TestServer;
let program: KubectlProgram;

/** Runs kubectl with files of these contents, by name, in a directory and with a cache of its own. */
async function kubectl(args: readonly string[], files: Readonly<Record<string, string>> = {}): Promise<Run> {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'config'), plane.server.adminConfig);
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return new Kubectl(program, directory, join(directory, 'config')).run(args);
}

const workload = (name: string, more = ''): string => `
apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, namespace: default }
data: { greeting: hello }
---
apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: default }
spec:
  selector: { app: ${name} }
  ports: [{ name: http, port: 80, targetPort: web }, { name: admin, port: 81, targetPort: 8081 }]
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: default }
spec:
  replicas: 2
  selector: { matchLabels: { app: ${name} } }
  strategy: { rollingUpdate: { maxSurge: 25%, maxUnavailable: 1 } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers:
        - name: web
          image: web:1
          ports: [{ containerPort: 8080 }]
          resources: { requests: { cpu: 500m, memory: 1Gi }, limits: { cpu: 2 } }
          env: [{ name: POD, valueFrom: { fieldRef: { fieldPath: metadata.name } } }]
${more}`;

describeKubectl('kubectl and published schemas', (current) => {
  const typed = current.minor >= EXPLAINS_BY_V3;

  beforeAll(async () => {
    program = current;
    plane = await startTestServer({ vocabulary: 'kubernetes' });
  });

  afterAll(() => plane.close());

  it('explains a list of objects, field by field', async () => {
    const { code, stdout, stderr } = await kubectl(['explain', 'pod.spec.containers']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/KIND: +Pod\nVERSION: +v1\n/);
    expect(stdout).toMatch(typed ? /FIELD: containers <\[\]Container>/ : /RESOURCE: containers <\[\]Object>/);
    const ports = typed ? 'ports\t<[]ContainerPort>' : 'ports\t<[]Object>';
    for (const field of ['image\t<string>', ports, 'name\t<string> -required-', 'tty\t<boolean>']) {
      expect(stdout).toMatch(new RegExp(`^ +${field.replaceAll('[', '\\[')}\n`, 'm'));
    }
  });

  it('explains a kind down to its leaves', async () => {
    const { code, stdout } = await kubectl(['explain', 'deployment.spec.strategy', '--recursive']);
    expect(code).toBe(0);
    expect(stdout).toMatch(typed ? /GROUP: +apps\n[\s\S]*VERSION: +v1\n/ : /VERSION: +apps\/v1\n/);
    const [object, value] = typed ? ['RollingUpdateDeployment', 'IntOrString'] : ['Object', 'string'];
    expect(stdout).toMatch(
      new RegExp(`rollingUpdate\t<${object}>\n +maxSurge\t<${value}>\n +maxUnavailable\t<${value}>\n`),
    );
  });

  it.each(['create', 'apply'])('checks several kinds and sends them with %s', async (command) => {
    const name = `checked-by-${command}`;
    const { code, stdout, stderr } = await kubectl([command, '-f', 'all.yaml'], { 'all.yaml': workload(name) });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trim().split('\n')).toEqual([
      `configmap/${name} created`,
      `service/${name} created`,
      `deployment.apps/${name} created`,
    ]);
    const { body } = await plane.admin.request('GET', `/apis/apps/v1/namespaces/default/deployments/${name}`);
    expect(body.spec.replicas).toBe(2);
  });

  it.each([
    [
      'an unknown field',
      '          imagePullPolice: Always',
      /unknown field "imagePullPolice" in io\.k8s\.api\.core\.v1\.Container/,
      /unknown field "spec\.template\.spec\.containers\[0\]\.imagePullPolice"/,
    ],
    [
      'a value of another type',
      '          tty: maybe',
      /invalid type for .*\.Container\.tty: got "string", expected "boolean"/,
      /in version "v1" cannot be handled as a Deployment: .*tty/,
    ],
    [
      'a list instead of an object',
      '          livenessProbe: []',
      /livenessProbe\): invalid type for .*\.Probe: got "array", expected "map"/,
      /in version "v1" cannot be handled as a Deployment: .*(livenessProbe|Probe)/,
    ],
  ])('refuses %s by itself, or the server does', async (_what, line, own, answered) => {
    const { code, stdout, stderr } = await kubectl(['create', '-f', 'all.yaml'], {
      'all.yaml': workload('refused', line),
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(current.minor < SERVER_VALIDATES ? own : answered);
    expect(stdout).not.toContain('deployment.apps/refused');
    const { status } = await plane.admin.request('GET', '/apis/apps/v1/namespaces/default/deployments/refused');
    expect(status).toBe(404);
    await kubectl(['delete', 'configmap,service', 'refused', '--ignore-not-found']);
  });

  it('misses a field that is required', async () => {
    const text = 'apiVersion: v1\nkind: Pod\nmetadata: { name: empty }\nspec: {}\n';
    const { code, stderr } = await kubectl(['create', '-f', 'pod.yaml'], { 'pod.yaml': text });
    expect(code).toBe(1);
    const own = /missing required field "containers" in io\.k8s\.api\.core\.v1\.PodSpec/;
    expect(stderr).toMatch(current.minor < SERVER_VALIDATES ? own : /spec\.containers: Required value/);
  });

  it('learns from the operations that writes can be tried without keeping anything', async () => {
    const args = ['create', '--dry-run=server', '-f', 'all.yaml'];
    const { code, stdout, stderr } = await kubectl(args, { 'all.yaml': workload('tried') });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('deployment.apps/tried created (server dry run)');
    const { status } = await plane.admin.request('GET', '/apis/apps/v1/namespaces/default/deployments/tried');
    expect(status).toBe(404);
  });
});
