import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newPrivateKey, privateKeyPem } from '../src/pki/keys.ts';
import { eventually } from './support/audit.ts';
import { requestPem } from './support/certificates.ts';
import { describeKubectl, Kubectl } from './support/kubectl.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** As an administrator lets a colleague in, with nothing but kubectl. */

const key = newPrivateKey();

const asked = (name: string) => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name },
  spec: {
    request: Buffer.from(requestPem({ key, subject: { commonName: 'ann', organizations: ['dev'] } })).toString(
      'base64',
    ),
    signerName: 'kubernetes.io/kube-apiserver-client',
    usages: ['client auth'],
    expirationSeconds: 86_400,
  },
});

describeKubectl('certificates', (program) => {
  let directory: string;
  let plane: TestServer;
  let kubectl: Kubectl;

  beforeAll(async () => {
    directory = await makeDirectory();
    plane = await startTestServer({ vocabulary: 'kubernetes' });
    const configFile = join(directory, 'config');
    await writeFile(configFile, plane.server.adminConfig);
    kubectl = new Kubectl(program, directory, configFile);
    for (const name of ['yes', 'no']) {
      await writeFile(join(directory, 'request.json'), JSON.stringify(asked(name)));
      await kubectl.succeed('create', '-f', 'request.json');
    }
  });
  afterAll(async () => {
    await plane.close();
    await removeDirectory(directory);
  });

  it('are approved, issued, and let their holder in', async () => {
    await kubectl.succeed('certificate', 'approve', 'yes');
    const encoded = await eventually(
      async () => (await kubectl.succeed('get', 'csr', 'yes', '-o', 'jsonpath={.status.certificate}')) || undefined,
    );
    const pem = Buffer.from(encoded, 'base64').toString();
    expect(new X509Certificate(pem).subject).toBe('O=dev\nCN=ann');
    expect(await kubectl.succeed('get', 'csr', 'yes')).toMatch(/24h +Approved,Issued\n$/);
    await Promise.all([
      writeFile(join(directory, 'ann.crt'), pem),
      writeFile(join(directory, 'ann.key'), privateKeyPem(key)),
    ]);
    await kubectl.succeed('config', 'set-credentials', 'ann', '--client-certificate=ann.crt', '--client-key=ann.key');
    const answer = await kubectl.run(['--user', 'ann', 'get', 'pods']);
    expect(answer.stderr).toContain('User "ann" cannot list resource "pods"');
  });

  it('are denied, and stay so', async () => {
    await kubectl.succeed('certificate', 'deny', 'no');
    expect(await kubectl.succeed('get', 'csr', 'no')).toMatch(/24h +Denied\n$/);
  });
});
