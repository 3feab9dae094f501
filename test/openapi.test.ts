import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { havePeer } from './support/peers.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** kubectl of its release asks for the binary form of the schemas, explains kinds by them, and checks what it sends. */

const hasKubectl = havePeer('kubectl', 'version', '--client');

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let plane: TestServer;

beforeAll(async () => {
  if (hasKubectl) plane = await startTestServer({ vocabulary: 'kubernetes' });
});

afterAll(async () => {
  await plane?.close();
});

/** Runs kubectl with files of these contents, by name, in a directory and with a cache of its own. */
async function kubectl(args: readonly string[], files: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'config'), plane.server.adminConfig);
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  const env = { PATH: process.env.PATH, HOME: directory, KUBECONFIG: join(directory, 'config') };
  const child = spawn('kubectl', args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
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

describe.skipIf(!hasKubectl)('kubectl (skipped where it is not installed)', () => {
  it('explains a list of objects, field by field', async () => {
    const { code, stdout, stderr } = await kubectl(['explain', 'pod.spec.containers']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/KIND: +Pod\nVERSION: +v1\n/);
    expect(stdout).toMatch(/RESOURCE: containers <\[\]Object>/);
    for (const field of ['image\t<string>', 'ports\t<[]Object>', 'name\t<string> -required-', 'tty\t<boolean>']) {
      expect(stdout).toContain(`   ${field}\n`);
    }
  });

  it('explains a kind down to its leaves', async () => {
    const { code, stdout } = await kubectl(['explain', 'deployment.spec.strategy', '--recursive']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/VERSION: +apps\/v1\n/);
    expect(stdout).toMatch(/ {3}rollingUpdate\t<Object>\n {6}maxSurge\t<string>\n {6}maxUnavailable\t<string>\n/);
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
    ],
    [
      'a value of another type',
      '          tty: maybe',
      /invalid type for .*\.Container\.tty: got "string", expected "boolean"/,
    ],
    [
      'a list instead of an object',
      '          livenessProbe: []',
      /livenessProbe\): invalid type for .*\.Probe: got "array", expected "map"/,
    ],
  ])('refuses %s by itself', async (_what, line, message) => {
    const { code, stdout, stderr } = await kubectl(['create', '-f', 'all.yaml'], {
      'all.yaml': workload('refused', line),
    });
    expect(code).toBe(1);
    expect(stderr).toContain('error validating data');
    expect(stderr).toMatch(message);
    expect(stdout).not.toContain('deployment.apps/refused');
    const { status } = await plane.admin.request('GET', '/apis/apps/v1/namespaces/default/deployments/refused');
    expect(status).toBe(404);
    await kubectl(['delete', 'configmap,service', 'refused', '--ignore-not-found']);
  });

  it('misses a field that is required', async () => {
    const text = 'apiVersion: v1\nkind: Pod\nmetadata: { name: empty }\nspec: {}\n';
    const { code, stderr } = await kubectl(['create', '-f', 'pod.yaml'], { 'pod.yaml': text });
    expect(code).toBe(1);
    expect(stderr).toMatch(/missing required field "containers" in io\.k8s\.api\.core\.v1\.PodSpec/);
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
