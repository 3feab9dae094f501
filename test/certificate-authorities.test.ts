import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { newPrivateKey, privateKeyPem } from '../src/pki/keys.ts';
import type { StartOptions } from '../src/server/server.ts';
import { eventually } from './support/audit.ts';
import { CertificateRequests, opensslText } from './support/certificate-requests.ts';
import { TestAuthority } from './support/certificates.ts';
import { asNobody, http1Client } from './support/client.ts';
import { havePeer } from './support/peers.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { letGroupAsk, whoami } from './support/who-am-i.ts';

/** What certificates are signed with. */

const YEAR = 365 * 24 * 3_600_000;
const CLIENT = { signerName: 'platform.io/apiserver-client', usages: ['client auth'] };
const NODE = {
  usages: ['client auth', 'digital signature', 'key encipherment'],
  signerName: 'platform.io/apiserver-client-node',
  request: { subject: { commonName: 'system:node:n', organizations: ['system:nodes'] } },
};
const SERVING = {
  usages: ['server auth', 'digital signature', 'key encipherment'],
  signerName: 'platform.io/node-serving',
  request: { ...NODE.request, names: { dns: ['n'] } },
};

const rsaKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

let directory: string;
beforeAll(async () => {
  directory = await makeDirectory();
});
afterAll(() => removeDirectory(directory));

let made = 0;

/** As tools do it that replace mounted files: all at once. */
async function place(file: string, content: string): Promise<string> {
  const path = join(directory, file);
  await writeFile(`${path}.new`, content);
  await rename(`${path}.new`, path);
  return path;
}

/** The files of an authority, under the names of two settings. */
async function files<C extends string, K extends string>(
  authority: TestAuthority,
  certificate: C,
  key: K,
): Promise<Record<C | K, string>> {
  const name = `a${made++}`;
  const paths = await Promise.all([place(`${name}.crt`, authority.pem), place(`${name}.key`, authority.keyPem)]);
  return { [certificate]: paths[0], [key]: paths[1] } as Record<C | K, string>;
}

const forAll = (authority: TestAuthority) => files(authority, 'clusterSigningCertFile', 'clusterSigningKeyFile');

async function start(options: StartOptions): Promise<{ plane: TestServer; requests: CertificateRequests }> {
  const plane = await startTestServer(options);
  onTestFinished(() => plane.close());
  return { plane, requests: new CertificateRequests(plane) };
}

it('without any it is the authority of the server itself, which lets clients in that have such a certificate', async () => {
  const { plane, requests } = await start({});
  await letGroupAsk(plane.admin, 'dev');
  const key = newPrivateKey();
  const subject = { commonName: 'ann', organizations: ['dev'] };
  const clientCertificate = await requests.issue('ann', { ...CLIENT, request: { key, subject } });
  const client = http1Client({ ...asNobody(plane.connection), clientCertificate, clientKey: privateKeyPem(key) });
  onTestFinished(() => client.close());
  expect(await whoami(client)).toMatchObject({ username: 'ann', groups: ['dev', 'system:authenticated'] });
  const { issuer, validFrom, validTo } = new X509Certificate(clientCertificate);
  expect(issuer).toBe('CN=platform-ca');
  expect(Date.parse(validTo) - Date.parse(validFrom)).toBe(YEAR);
});

it('the setting for the duration bounds all certificates', async () => {
  const { requests } = await start({ clusterSigningDuration: 24 * 3_600_000 });
  const lifeOf = (pem: string): number => {
    const { validFrom, validTo } = new X509Certificate(pem);
    return (Date.parse(validTo) - Date.parse(validFrom)) / 60_000;
  };
  expect(lifeOf(await requests.issue('a', { ...CLIENT, request: {} }))).toBe(24 * 60);
  expect(lifeOf(await requests.issue('b', { ...CLIENT, request: {}, expirationSeconds: (2 * YEAR) / 1000 }))).toBe(
    24 * 60,
  );
  expect(lifeOf(await requests.issue('c', { ...CLIENT, request: {}, expirationSeconds: 3600 }))).toBe(65);
});

describe.skipIf(!havePeer('openssl', 'version')).each([
  ['RSA', rsaKey],
  ['P-256', newPrivateKey()],
  ['P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey],
  ['Ed25519', generateKeyPairSync('ed25519').privateKey],
])('an authority with a key of type %s', (_type, ownKey) => {
  it('signs what openssl verifies, whatever key a request is about', async () => {
    // Shorter than any certificate that is asked for.
    const authority = new TestAuthority('signer', undefined, ownKey, 1_800_000);
    const { requests } = await start(await forAll(authority));
    for (const [at, key] of [newPrivateKey(), rsaKey].entries()) {
      const certificate = await requests.issue(`r${at}`, { ...CLIENT, request: { key } });
      const text = opensslText(directory, authority.pem, certificate, '-x509_strict', '-purpose', 'sslclient');
      expect(text).toContain('Issuer: CN=signer');
      expect(new X509Certificate(certificate).validTo).toBe(new X509Certificate(authority.pem).validTo);
      const serving = await requests.issue(`s${at}`, { ...SERVING, request: { ...SERVING.request, key } });
      opensslText(directory, authority.pem, serving, '-x509_strict', '-purpose', 'sslserver', '-verify_hostname', 'n');
    }
  });
});

it('each signer may have its own; those without do not sign then', async () => {
  const [nodes, serving] = [new TestAuthority('nodes'), new TestAuthority('serving')];
  const { requests } = await start({
    ...(await files(nodes, 'clusterSigningKubeletClientCertFile', 'clusterSigningKubeletClientKeyFile')),
    ...(await files(serving, 'clusterSigningKubeletServingCertFile', 'clusterSigningKubeletServingKeyFile')),
  });
  await requests.create('client', { ...CLIENT, request: {} });
  await requests.decide('client');
  const issuerOf = (pem: string): string => new X509Certificate(pem).issuer;
  expect(issuerOf(await requests.issue('node', NODE))).toBe('CN=nodes');
  expect(issuerOf(await requests.issue('serving', SERVING))).toBe('CN=serving');
  const left = await requests.read('client');
  expect([left?.status.certificate, left?.status.conditions?.length]).toEqual([undefined, 1]);
});

describe('a server does not start', () => {
  const refusal = (options: StartOptions): Promise<string> =>
    startTestServer(options).then(
      async (plane) => {
        await plane.close();
        return 'it did';
      },
      (error: Error) => error.message,
    );
  const [one, other] = [new TestAuthority('one'), new TestAuthority('other')];

  it('with a certificate that has no key, or a key that has no certificate', async () => {
    const { clusterSigningCertFile, clusterSigningKeyFile } = await forAll(one);
    const together = '--cluster-signing-cert-file and --cluster-signing-key-file must be given together';
    expect(await refusal({ clusterSigningCertFile })).toBe(together);
    expect(await refusal({ clusterSigningKeyFile })).toBe(together);
    expect(await refusal({ clusterSigningLegacyUnknownKeyFile: clusterSigningKeyFile })).toBe(
      '--cluster-signing-legacy-unknown-cert-file and --cluster-signing-legacy-unknown-key-file must be given together',
    );
  });

  it('with one for all signers and one of its own for one', async () => {
    const all = await forAll(one);
    const own = await files(other, 'clusterSigningKubeletClientCertFile', 'clusterSigningKubeletClientKeyFile');
    expect(await refusal({ ...all, ...own })).toContain('are for all signers');
  });

  it('with the key of another', async () => {
    const { clusterSigningCertFile } = await forAll(one);
    const { clusterSigningKeyFile } = await forAll(other);
    expect(await refusal({ clusterSigningCertFile, clusterSigningKeyFile })).toContain('does not belong to the key in');
  });

  it('with certificates that hold for no time, or a root that is none', async () => {
    expect(await refusal({ clusterSigningDuration: 0 })).toBe('--cluster-signing-duration must be above 0');
    expect(await refusal({ rootCaFile: await place('root', 'x') })).toContain('holds no PEM certificate');
  });
});

it('other files are taken up when they belong together, and not before', async () => {
  const runtime = new ShiftableRuntime();
  const told: string[] = [];
  const logger = { info() {}, warn() {}, error: (_: object, text: string) => void told.push(text) };
  const [before, after] = [new TestAuthority('before'), new TestAuthority('after')];
  const all = await forAll(before);
  const { requests } = await start({ ...all, runtime, logger });
  const signer = async (): Promise<string> =>
    new X509Certificate(await requests.issue(`r${made++}`, { ...CLIENT, request: {} })).issuer;
  expect(await signer()).toBe('CN=before');
  const name = all.clusterSigningCertFile.slice(directory.length + 1, -'.crt'.length);

  await place(`${name}.crt`, after.pem);
  await eventually(() => {
    runtime.advance(5_000);
    return told.length > 0 || undefined;
  });
  expect(told[0]).toBe('a changed authority cannot be used for signing; the former one stays');
  expect(await signer()).toBe('CN=before');

  await place(`${name}.key`, after.keyPem);
  await eventually(async () => {
    runtime.advance(5_000);
    return (await signer()) === 'CN=after' || undefined;
  });
});

it('an authority that has ended signs again when there is another', async () => {
  const runtime = new ShiftableRuntime();
  const [before, after] = [new TestAuthority('old'), new TestAuthority('new', undefined, newPrivateKey(), YEAR)];
  const all = await forAll(before);
  const { requests } = await start({ ...all, runtime });
  runtime.advance(2 * 3_600_000);
  await requests.create('waits', { ...CLIENT, request: {} });
  await requests.decide('waits');
  const name = all.clusterSigningCertFile.slice(directory.length + 1, -'.crt'.length);
  await Promise.all([place(`${name}.crt`, after.pem), place(`${name}.key`, after.keyPem)]);
  const issued = await eventually(async () => {
    // In small steps: within an hour the request would be removed.
    runtime.advance(1_000);
    return (await requests.read('waits'))?.status.certificate;
  });
  expect(new X509Certificate(Buffer.from(issued, 'base64')).issuer).toBe('CN=new');
});

it('namespaces and token secrets are told the root that is given', async () => {
  const root = `${new TestAuthority('root').pem}${new TestAuthority('next').pem}`;
  const { plane } = await start({ rootCaFile: await place('root.crt', root) });
  const read = async (path: string): Promise<Record<string, string> | undefined> =>
    (await plane.admin.request('GET', `/api/v1/namespaces/default/${path}`)).body.data;
  const map = await eventually(() => read('configmaps/kube-root-ca.crt'));
  expect(map['ca.crt']).toBe(root);
  await plane.admin.request('POST', '/api/v1/namespaces/default/secrets', {
    metadata: { name: 't', annotations: { 'platform.io/service-account.name': 'default' } },
    type: 'platform.io/service-account-token',
  });
  const authority = await eventually(async () => (await read('secrets/t'))?.['ca.crt']);
  expect(Buffer.from(authority, 'base64').toString()).toBe(root);
  // Those outside know the server by its own authority, as before.
  expect(plane.connection.ca).not.toContain(root.slice(0, 200));
});
