import { createPrivateKey, createPublicKey, type KeyObject, sign, verify, X509Certificate } from 'node:crypto';
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemRuntime } from '../runtime/runtime.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import { ensurePki, inMemoryPki, type Pki, type PkiOptions } from './bootstrap.ts';
import { issueCertificate, issuerFrom, validFor } from './certificate.ts';
import { certificatePem, newPrivateKey } from './keys.ts';
import { clientTemplate } from './profiles.ts';

const DAY = 24 * 3_600_000;
const FILES = ['admin.crt', 'admin.key', 'apiserver.crt', 'apiserver.key', 'ca.crt', 'ca.key', 'sa.key', 'sa.pub'];

/** After so many renames the next one fails, as if the process had ended just before it. */
function endAfterRenames(count: number): void {
  let left = count;
  vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    if (left-- <= 0) throw new Error('the process ended');
    rename(from, to);
  });
  syncBuiltinESMExports();
}

const rename = fs.renameSync;

function goOn(): void {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
}

let directory = '';
let now = 0;

const options = (change: Partial<PkiOptions> = {}): PkiOptions => ({
  runtime: { ...systemRuntime, now: () => now },
  names: vocabularies.platform.certificateNames,
  hosts: ['0.0.0.0', '192.0.2.7'],
  serviceHosts: ['platform.default.svc', 'platform'],
  ...change,
});

const contents = (): Record<string, string> =>
  Object.fromEntries(readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), 'utf8')]));

beforeEach(() => {
  now = Date.now();
  directory = join(mkdtempSync(join(tmpdir(), 'pki-')), 'data', 'pki');
});
afterEach(() => {
  goOn();
  rmSync(join(directory, '..', '..'), { recursive: true });
});

describe('the first start', () => {
  test('makes every file, private keys for the owner alone', () => {
    const pki = ensurePki(directory, options());
    expect(readdirSync(directory).sort()).toEqual(FILES);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    for (const key of FILES.filter((name) => name.endsWith('.key'))) {
      expect([key, statSync(join(directory, key)).mode & 0o777]).toEqual([key, 0o600]);
    }
    expect(contents()).toEqual({
      'ca.crt': pki.ca.certificate,
      'ca.key': pki.ca.key,
      'apiserver.crt': pki.serving.certificate,
      'apiserver.key': pki.serving.key,
      'admin.crt': pki.admin.certificate,
      'admin.key': pki.admin.key,
      'sa.key': pki.serviceAccountKey.privateKey,
      'sa.pub': pki.serviceAccountKey.publicKey,
    });
  });

  test('gives the authority ten years and the others one', () => {
    const { ca, serving, admin } = ensurePki(directory, options());
    const days = ({ certificate }: Pki['ca']) =>
      Math.round((Date.parse(new X509Certificate(certificate).validTo) - now) / DAY);
    expect([ca, serving, admin].map(days)).toEqual([3650, 365, 365]);
  });

  test('certifies loopback, the concrete hosts and the service, and no wildcard address', () => {
    const { serving } = ensurePki(
      directory,
      options({ hosts: ['0.0.0.0', '::', '', 'fe80::1%eth0', '192.0.2.7', 'api.example'] }),
    );
    expect(new X509Certificate(serving.certificate).subjectAltName).toBe(
      'DNS:localhost, DNS:api.example, DNS:platform.default.svc, DNS:platform, IP Address:127.0.0.1, ' +
        'IP Address:0:0:0:0:0:0:0:1, IP Address:FE80:0:0:0:0:0:0:1, IP Address:192.0.2.7, IP Address:10.0.0.1',
    );
  });

  test('that ends at any rename leaves whole files, from which the next start goes on', () => {
    for (let renames = 0; renames < FILES.length; renames++) {
      endAfterRenames(renames);
      expect(() => ensurePki(directory, options())).toThrow('cannot be written');
      const kept = contents();
      goOn();
      ensurePki(directory, options());
      const whole = Object.fromEntries(Object.entries(kept).filter(([name]) => !name.endsWith('.tmp')));
      expect(Object.keys(whole)).toHaveLength(renames);
      expect(contents()).toMatchObject(whole);
      expect(readdirSync(directory).sort()).toEqual(FILES);
      rmSync(directory, { recursive: true });
    }
  });
});

describe('a later start', () => {
  test('changes nothing while everything holds', () => {
    const first = ensurePki(directory, options());
    const before = contents();
    now += 334 * DAY;
    expect(ensurePki(directory, options())).toEqual(first);
    expect(contents()).toEqual(before);
  });

  test('renews serving and admin certificates that end within 30 days, and keeps the keys', () => {
    const first = ensurePki(directory, options());
    now += 336 * DAY;
    const second = ensurePki(directory, options());
    expect(second).toEqual({
      ...first,
      serving: { key: first.serving.key, certificate: expect.not.stringContaining(first.serving.certificate) },
      admin: { key: first.admin.key, certificate: expect.not.stringContaining(first.admin.certificate) },
    });
    expect(Date.parse(new X509Certificate(second.admin.certificate).validTo)).toBeGreaterThan(now + 364 * DAY);
    expect(contents()['apiserver.crt']).toBe(second.serving.certificate);
  });

  test('renews the serving certificate alone when it does not cover a host', () => {
    const first = ensurePki(directory, options());
    const second = ensurePki(directory, options({ hosts: ['192.0.2.8', 'new.example'] }));
    const certificate = new X509Certificate(second.serving.certificate);
    expect(certificate.checkIP('192.0.2.8')).toBeDefined();
    expect(certificate.checkHost('new.example')).toBeDefined();
    expect(second).toEqual({ ...first, serving: { key: first.serving.key, certificate: second.serving.certificate } });
  });

  test('uses an authority brought along', () => {
    const { ca } = inMemoryPki(options());
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'ca.crt'), ca.certificate);
    writeFileSync(join(directory, 'ca.key'), ca.key);
    const pki = ensurePki(directory, options());
    expect(pki.ca).toEqual(ca);
    expect(new X509Certificate(pki.admin.certificate).verify(new X509Certificate(ca.certificate).publicKey)).toBe(true);
  });

  test.each<[file: string, spoil: (path: string, other: Pki) => void, message: string]>([
    ['ca.key', (path) => rmSync(path), 'is missing, but ca.crt is there; restore the one or delete the other'],
    ['ca.key', (path) => writeFileSync(path, 'x'), 'holds no usable private key (unencrypted PEM expected)'],
    ['ca.crt', (path) => writeFileSync(path, ''), 'holds no PEM certificate'],
    [
      'ca.crt',
      (path, other) => writeFileSync(path, other.ca.certificate),
      'does not belong to the private key beside it',
    ],
    [
      'apiserver.key',
      (path) => rmSync(path),
      'is missing, but apiserver.crt is there; restore the one or delete the other',
    ],
    [
      'apiserver.crt',
      (path, other) => writeFileSync(path, other.serving.certificate),
      'does not belong to the private key beside it',
    ],
    ['admin.crt', (path) => replaceByDirectory(path), 'cannot be read (EISDIR)'],
    ['sa.pub', (path, other) => writeFileSync(path, other.serviceAccountKey.publicKey), 'does not belong to sa.key'],
    ['sa.pub', (path) => writeFileSync(path, 'x'), 'holds no usable public key'],
  ])('names %s when it is at fault (%#)', (file, spoil, message) => {
    ensurePki(directory, options());
    const path = join(directory, file);
    spoil(path, inMemoryPki(options()));
    expect(() => ensurePki(directory, options())).toThrow(new Error(`${path}: ${message}`));
  });

  test('refuses certificates of another authority, a leaf as authority, and an authority past its time', () => {
    const first = ensurePki(directory, options());
    const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
    const other = inMemoryPki(options());
    write('ca.crt', other.ca.certificate);
    write('ca.key', other.ca.key);
    expect(() => ensurePki(directory, options())).toThrow(
      'apiserver.crt: was not issued by ca.crt; delete it to have it made anew',
    );
    write('ca.crt', first.admin.certificate);
    write('ca.key', first.admin.key);
    expect(() => ensurePki(directory, options())).toThrow('ca.crt: is not the certificate of an authority');
    write('ca.crt', first.ca.certificate);
    write('ca.key', first.ca.key);
    now += 3651 * DAY;
    expect(() => ensurePki(directory, options())).toThrow('ca.crt: holds only from');
  });
});

test('an administrator of another name gets a certificate of this one, from the same authority', () => {
  const first = ensurePki(directory, options());
  const second = ensurePki(directory, options({ names: vocabularies.kubernetes.certificateNames }));
  expect(second.ca).toEqual(first.ca);
  expect(second.admin.key).toBe(first.admin.key);
  expect(new X509Certificate(second.admin.certificate).subject).toContain('CN=kubernetes-admin');
});

test('a certificate that only bears the name of the authority is refused', () => {
  const { ca, admin } = ensurePki(directory, options());
  const { keyIdentifier: _, ...named } = issuerFrom(new X509Certificate(ca.certificate), createPrivateKey(ca.key));
  const template = clientTemplate(
    createPrivateKey(admin.key),
    { commonName: 'eve' },
    validFor(systemRuntime, 90 * DAY),
  );
  const forged = issueCertificate(systemRuntime, { ...named, key: newPrivateKey() }, template);
  writeFileSync(join(directory, 'admin.crt'), certificatePem(forged));
  expect(() => ensurePki(directory, options())).toThrow('admin.crt: was not issued by ca.crt');
});

test('a directory that cannot be written is named in one line', () => {
  mkdirSync(join(directory, '..'), { recursive: true });
  writeFileSync(directory, 'a file in its place');
  expect(() => ensurePki(directory, options())).toThrow(
    new Error(`${join(directory, 'ca.key')}: cannot be read (ENOTDIR)`),
  );
});

describe('a PKI in memory', () => {
  test('writes nothing and has keys of its own each time', () => {
    const [one, two] = [inMemoryPki(options()), inMemoryPki(options())];
    expect(existsSync(directory)).toBe(false);
    expect(one.ca.key).not.toBe(two.ca.key);
  });

  test('signs tokens that its public key verifies', () => {
    const { privateKey, publicKey } = inMemoryPki(options()).serviceAccountKey;
    const key: KeyObject = createPrivateKey(privateKey);
    const signature = sign('sha256', Buffer.from('token'), { key, dsaEncoding: 'ieee-p1363' });
    const check = { key: createPublicKey(publicKey), dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', Buffer.from('token'), check, signature)).toBe(true);
    expect(signature).toHaveLength(64);
  });

  test('carries a TLS handshake both ways: the client trusts the server, the server knows the client', async () => {
    const pki = inMemoryPki(options());
    expect(await whoAmI(pki, pki.admin)).toEqual({ CN: 'platform-admin', O: 'system:masters' });
  });

  test('names the administrator as the vocabulary does', async () => {
    const { certificateNames: names } = vocabularies.kubernetes;
    const pki = inMemoryPki(options({ names }));
    expect(await whoAmI(pki, pki.admin)).toEqual({ CN: 'kubernetes-admin', O: 'system:masters' });
    expect(new X509Certificate(pki.ca.certificate).subject).toBe('CN=kubernetes');
    expect(new X509Certificate(pki.serving.certificate).subject).toBe('CN=kube-apiserver');
  });

  test('lets no certificate of another authority pass for a client', async () => {
    const pki = inMemoryPki(options());
    expect(await whoAmI(pki, inMemoryPki(options()).admin)).toBe('unknown');
    expect(await whoAmI(pki, pki.serving)).toBe('unknown');
  });
});

/** What a server with this PKI makes of a client that shows the given certificate. */
async function whoAmI(pki: Pki, client: Pki['admin']): Promise<unknown> {
  const server = createServer(
    {
      cert: pki.serving.certificate,
      key: pki.serving.key,
      ca: pki.ca.certificate,
      requestCert: true,
      rejectUnauthorized: false,
    },
    ({ socket }, response) => {
      const known = socket instanceof TLSSocket && socket.authorized;
      response.end(JSON.stringify(known ? socket.getPeerCertificate().subject : 'unknown'));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  try {
    const body = await new Promise<string>((resolve, reject) => {
      request(
        { host: '127.0.0.1', port, ca: pki.ca.certificate, cert: client.certificate, key: client.key, agent: false },
        (response) => {
          response.setEncoding('utf8').once('data', resolve);
        },
      )
        .once('error', reject)
        .end();
    });
    return JSON.parse(body);
  } finally {
    server.close();
  }
}

function replaceByDirectory(path: string): void {
  rmSync(path);
  mkdirSync(path);
}
