import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { newPrivateKey, privateKeyPem } from '../src/pki/keys.ts';
import { eventually } from './support/audit.ts';
import { requestPem } from './support/certificates.ts';
import { describeKubectl, Kubectl } from './support/kubectl.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** As an administrator lets a colleague in, with nothing but kubectl. */

const key = newPrivateKey();
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const asked = (name: string) => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name },
  spec: {
    request: base64(requestPem({ key, subject: { commonName: 'ann', organizations: ['dev'] } })),
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

  /** The configuration that ann is handed; some releases of kubectl cannot write one. */
  async function configOf(certificate: string): Promise<string> {
    const { users, ...rest } = parse(plane.server.adminConfig);
    const user = { 'client-certificate-data': base64(certificate), 'client-key-data': base64(privateKeyPem(key)) };
    const file = join(directory, 'ann.config');
    await writeFile(file, JSON.stringify({ ...rest, users: [{ name: users[0].name, user }] }));
    return file;
  }

  it('are approved, issued, and let their holder in', async () => {
    await kubectl.succeed('certificate', 'approve', 'yes');
    const encoded = await eventually(
      async () => (await kubectl.succeed('get', 'csr', 'yes', '-o', 'jsonpath={.status.certificate}')) || undefined,
    );
    const pem = Buffer.from(encoded, 'base64').toString();
    expect(new X509Certificate(pem).subject).toBe('O=dev\nCN=ann');
    expect(await kubectl.succeed('get', 'csr', 'yes')).toMatch(/24h +Approved,Issued\n$/);
    const answer = await new Kubectl(program, directory, await configOf(pem)).run(['get', 'pods']);
    expect(answer.stderr).toContain('User "ann" cannot list resource "pods"');
  });

  it('are denied, and stay so', async () => {
    await kubectl.succeed('certificate', 'deny', 'no');
    expect(await kubectl.succeed('get', 'csr', 'no')).toMatch(/24h +Denied\n$/);
  });
});
