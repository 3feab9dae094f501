import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boolean, element, implicit, namedBits, oid, sequence, set, utf8String } from '../src/pki/der.ts';
import { newPrivateKey } from '../src/pki/keys.ts';
import {
  CertificateRequests,
  failureOf,
  opensslText,
  pemOf,
  type StoredRequest,
} from './support/certificate-requests.ts';
import { type RequestParts, requestPem, TestAuthority } from './support/certificates.ts';
import { havePeer } from './support/peers.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** What the built-in signers sign, and what they refuse: a row for each request, in a server with everything on. */

const KEYS: Readonly<Record<string, KeyObject>> = {
  p256: newPrivateKey(),
  p384: generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
  p521: generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey,
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ed25519: generateKeyPairSync('ed25519').privateKey,
};

const CLIENT = 'platform.io/apiserver-client';
const NODE = 'platform.io/apiserver-client-node';
const SERVING = 'platform.io/node-serving';
/** Cannot be asked for, but may be stored. */
const LEGACY = 'platform.io/legacy-unknown';

interface Row {
  readonly what: string;
  readonly key?: string;
  readonly user?: string;
  readonly groups?: readonly string[];
  /** The rest of the request, or instead of the two above. */
  readonly parts?: RequestParts;
  readonly usages?: readonly string[];
  /** The message of the condition Failed; absent: it is signed. */
  readonly refusal?: string;
  /** What openssl finds in the certificate. */
  readonly has?: readonly string[];
  readonly hasNot?: readonly string[];
  /** Not held against the strictest rules of openssl. */
  readonly odd?: boolean;
}

const node = { user: 'system:node:n1', groups: ['system:nodes'] };
const authority = { '2.5.29.19': sequence(boolean(true)) };
const maySign = { '2.5.29.15': namedBits([5]) };
const unknown = { '1.2.3.4': utf8String('x') };
const named = (...pairs: readonly (readonly [string, string])[]): Buffer =>
  sequence(...pairs.map(([type, text]) => set(sequence(oid(type), utf8String(text)))));
const allNames = { dns: ['a.example'], ip: ['10.1.2.3'], email: ['a@b.example'], uri: ['https://a/b'] };
const NOT_CA = 'CA:FALSE';
const ALL_CLIENT = ['client auth', 'digital signature', 'key encipherment'];
const ALL_SERVING = ['server auth', 'digital signature', 'key encipherment'];
const NOT_CLIENT = 'invalid usage for client certificate: ';
const NO_NODE_GROUP = 'subject organization is not system:nodes';
const NO_NODE_NAME = 'subject common name does not begin with system:node:';
const NOT_ALL_CLIENT = 'usages did not match [client auth digital signature key encipherment]';
const NOT_ALL_SERVING = 'usages did not match [digital signature key encipherment server auth]';

// biome-ignore format: a table reads best with one row a line
const CLIENT_ROWS: readonly Row[] = [
  { what: 'for clients alone', usages: ['client auth'], has: ['TLS Web Client Authentication', NOT_CA], hasNot: ['Digital Signature'] },
  { what: 'to sign', usages: ['client auth', 'digital signature'], has: ['Digital Signature'], hasNot: ['Key Encipherment'] },
  { what: 'to encipher keys', usages: ['client auth', 'key encipherment'], has: ['Key Encipherment'] },
  { what: 'for all that clients may', usages: ALL_CLIENT, has: ['Digital Signature, Key Encipherment'] },
  { what: 'in another order', usages: ALL_CLIENT.toReversed() },
  { what: 'not for clients', usages: ['digital signature'], refusal: 'missing required usage for client certificate: client auth' },
  { what: 'for servers', usages: ['server auth'], refusal: `${NOT_CLIENT}server auth` },
  { what: 'for clients and servers', usages: ['client auth', 'server auth'], refusal: `${NOT_CLIENT}server auth` },
  { what: 'for anything', usages: ['client auth', 'any'], refusal: `${NOT_CLIENT}any` },
  { what: 'to sign certificates', usages: ['cert sign', 'client auth'], refusal: `${NOT_CLIENT}cert sign` },
  { what: 'to sign, in the other word for it', usages: ['client auth', 'signing'], refusal: `${NOT_CLIENT}signing` },
  { what: 'to sign code', usages: ['code signing'], refusal: `${NOT_CLIENT}code signing` },
  { what: 'with an RSA key', key: 'rsa', has: ['rsaEncryption', '2048 bit'] },
  { what: 'with a key on P-384', key: 'p384', has: ['384 bit'] },
  { what: 'with a key on P-521', key: 'p521', has: ['521 bit'] },
  { what: 'with an Ed25519 key', key: 'ed25519', has: ['ED25519'] },
  { what: 'of a user with groups', user: 'ann', groups: ['dev', 'ops'], has: ['Subject: CN=ann,O=ops,O=dev'] },
  { what: 'of a node', ...node },
  { what: 'of a user with letters from afar', user: 'Žofie', has: ['CN=Žofie'] },
  { what: 'of two users', parts: { subject: named(['2.5.4.3', 'admin'], ['2.5.4.3', 'ann']) }, has: ['Subject: CN=ann\n'], hasNot: ['admin'] },
  { what: 'of nobody', parts: { subject: sequence(), names: { dns: ['x.example'] } }, has: ['X509v3 Subject Alternative Name: critical', 'DNS:x.example'] },
  { what: 'with attributes that say nothing', parts: { subject: named(['2.5.4.3', 'ann'], ['0.9.2342.19200300.100.1.25', 'example']) }, hasNot: ['DC='] },
  { what: 'with a country and a place', parts: { subject: named(['2.5.4.6', 'CH'], ['2.5.4.7', 'Bern'], ['2.5.4.3', 'ann']) }, has: ['Subject: CN=ann,L=Bern,C=CH'] },
  { what: 'with other names', parts: { names: allNames }, has: ['DNS:a.example', 'IP Address:10.1.2.3', 'email:a@b.example', 'URI:https://a/b'] },
  { what: 'with names of other sorts', parts: { extensions: { '2.5.29.17': sequence(element(0xa0, oid('1.2.3'), element(0xa0, utf8String('odd'))), implicit(2, Buffer.from('kept'))) } }, has: ['DNS:kept'], hasNot: ['othername'] },
  { what: 'of an authority', parts: { extensions: authority }, has: [NOT_CA], hasNot: ['CA:TRUE'] },
  { what: 'that says itself it may sign others', parts: { extensions: maySign }, hasNot: ['Certificate Sign'] },
  { what: 'with extensions nobody knows', parts: { extensions: unknown }, hasNot: ['1.2.3.4'] },
];

// biome-ignore format: a table reads best with one row a line
const NODE_ROWS: readonly Row[] = [
  { what: 'of a node', has: ['Subject: CN=system:node:n1,O=system:nodes', 'TLS Web Client Authentication', 'Digital Signature, Key Encipherment', NOT_CA] },
  { what: 'of a node with an RSA key', key: 'rsa' },
  { what: 'of a node with an Ed25519 key', key: 'ed25519' },
  { what: 'of a node with a key on P-384', key: 'p384' },
  { what: 'of a node without a name', user: 'system:node:' },
  { what: 'in another order', usages: ALL_CLIENT.toReversed() },
  { what: 'of an authority', parts: { extensions: authority }, has: [NOT_CA], hasNot: ['CA:TRUE'] },
  { what: 'of no group', groups: [], refusal: NO_NODE_GROUP },
  { what: 'of another group', groups: ['system:masters'], refusal: NO_NODE_GROUP },
  { what: 'of two groups', groups: ['system:nodes', 'system:masters'], refusal: NO_NODE_GROUP },
  { what: 'of the group twice', groups: ['system:nodes', 'system:nodes'], refusal: NO_NODE_GROUP },
  { what: 'of a group that sounds like it', groups: ['system:nodes '], refusal: NO_NODE_GROUP },
  { what: 'of a user', user: 'ann', refusal: NO_NODE_NAME },
  { what: 'of a user who sounds like a node', user: 'system:nodes:n1', refusal: NO_NODE_NAME },
  { what: 'of a node and a user', parts: { subject: named(['2.5.4.10', 'system:nodes'], ['2.5.4.3', 'system:node:n1'], ['2.5.4.3', 'ann']) }, refusal: NO_NODE_NAME },
  { what: 'with a host', parts: { names: { dns: ['n1'] } }, refusal: 'DNS subjectAltNames are not allowed' },
  { what: 'with an address', parts: { names: { ip: ['10.1.2.3'] } }, refusal: 'IP subjectAltNames are not allowed' },
  { what: 'with an address of mail', parts: { names: { email: ['a@b.example'] } }, refusal: 'Email subjectAltNames are not allowed' },
  { what: 'with a URI', parts: { names: { uri: ['https://a/b'] } }, refusal: 'URI subjectAltNames are not allowed' },
  { what: 'without enciphering keys', usages: ['client auth', 'digital signature'], refusal: NOT_ALL_CLIENT },
  { what: 'for clients alone', usages: ['client auth'], refusal: NOT_ALL_CLIENT },
  { what: 'for servers', usages: ALL_SERVING, refusal: NOT_ALL_CLIENT },
  { what: 'for servers too', usages: [...ALL_CLIENT, 'server auth'], refusal: NOT_ALL_CLIENT },
];

// biome-ignore format: a table reads best with one row a line
const SERVING_ROWS: readonly Row[] = [
  { what: 'with a host', parts: { names: { dns: ['n1'] } }, has: ['DNS:n1', 'TLS Web Server Authentication', 'Digital Signature, Key Encipherment', NOT_CA] },
  { what: 'with an address', parts: { names: { ip: ['10.1.2.3'] } }, has: ['IP Address:10.1.2.3'] },
  { what: 'with an address of six', parts: { names: { ip: ['2001:db8::1'] } }, has: ['IP Address:2001:DB8:0:0:0:0:0:1'] },
  { what: 'with hosts and addresses', parts: { names: { dns: ['n1', '*.n1.example'], ip: ['10.1.2.3', '::1'] } }, has: ['DNS:n1, DNS:*.n1.example, IP Address:10.1.2.3'] },
  { what: 'with an RSA key', key: 'rsa', parts: { names: { dns: ['n1'] } } },
  { what: 'with an Ed25519 key', key: 'ed25519', parts: { names: { dns: ['n1'] } } },
  { what: 'of an authority', parts: { names: { dns: ['n1'] }, extensions: authority }, has: [NOT_CA], hasNot: ['CA:TRUE'] },
  { what: 'without names', refusal: 'DNS or IP subjectAltName is required' },
  { what: 'with mail alone', parts: { names: { email: ['a@b.example'] } }, refusal: 'DNS or IP subjectAltName is required' },
  { what: 'with mail too', parts: { names: { dns: ['n1'], email: ['a@b.example'] } }, refusal: 'Email subjectAltNames are not allowed' },
  { what: 'with a URI too', parts: { names: { ip: ['10.1.2.3'], uri: ['https://a/b'] } }, refusal: 'URI subjectAltNames are not allowed' },
  { what: 'of no group', groups: [], parts: { names: { dns: ['n1'] } }, refusal: NO_NODE_GROUP },
  { what: 'of another group', groups: ['dev'], parts: { names: { dns: ['n1'] } }, refusal: NO_NODE_GROUP },
  { what: 'of a user', user: 'ann', parts: { names: { dns: ['n1'] } }, refusal: NO_NODE_NAME },
  { what: 'for clients', usages: ALL_CLIENT, parts: { names: { dns: ['n1'] } }, refusal: NOT_ALL_SERVING },
  { what: 'for clients too', usages: [...ALL_SERVING, 'client auth'], parts: { names: { dns: ['n1'] } }, refusal: NOT_ALL_SERVING },
  { what: 'without signing', usages: ['server auth', 'key encipherment'], parts: { names: { dns: ['n1'] } }, refusal: NOT_ALL_SERVING },
];

// biome-ignore format: a table reads best with one row a line
const LEGACY_ROWS: readonly Row[] = [
  { what: 'for clients', usages: ['client auth'], has: ['TLS Web Client Authentication'] },
  { what: 'for servers', usages: ['server auth', 'digital signature'], parts: { names: allNames }, has: ['DNS:a.example', 'URI:https://a/b'] },
  { what: 'of masters', groups: ['system:masters'], has: ['O=system:masters'] },
  { what: 'to sign certificates', usages: ['cert sign', 'crl sign'], has: [NOT_CA, 'Certificate Sign'], odd: true },
  { what: 'of an authority', parts: { extensions: authority }, has: [NOT_CA], hasNot: ['CA:TRUE'] },
  { what: 'to sign code and stamp times', usages: ['code signing', 'timestamping'], has: ['Code Signing', 'Time Stamping'] },
  { what: 'for mail and secure tunnels', usages: ['s/mime', 'ipsec user'], has: ['E-mail Protection', 'IPSec User'] },
  { what: 'with an RSA key', key: 'rsa' },
  { what: 'with an Ed25519 key', key: 'ed25519' },
];

const TABLE = [
  { signer: CLIENT, given: { user: 'ann', usages: ['client auth'] }, rows: CLIENT_ROWS },
  { signer: NODE, given: { ...node, usages: ALL_CLIENT }, rows: NODE_ROWS },
  { signer: SERVING, given: { ...node, usages: ALL_SERVING }, rows: SERVING_ROWS },
  { signer: LEGACY, given: { user: 'ann', usages: ['client auth'] }, rows: LEGACY_ROWS },
].map(({ signer, given, rows }) => ({ signer, rows: rows.map((row) => ({ ...given, ...row })) }));

const haveOpenssl = havePeer('openssl', 'version');
const ca = new TestAuthority('signer');
let directory: string;
let plane: TestServer;
let requests: CertificateRequests;

beforeAll(async () => {
  directory = await makeDirectory();
  const [clusterSigningCertFile, clusterSigningKeyFile] = [join(directory, 'ca.crt'), join(directory, 'ca.key')];
  await Promise.all([writeFile(clusterSigningCertFile, ca.pem), writeFile(clusterSigningKeyFile, ca.keyPem)]);
  plane = await startTestServer({ clusterSigningCertFile, clusterSigningKeyFile });
  requests = new CertificateRequests(plane);
});
afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

let made = 0;

/** Asks for what a row says, has it approved, and waits for what becomes of it. */
async function answerTo(
  signer: string,
  { key = 'p256', user, groups, parts, usages = [] }: Row,
): Promise<StoredRequest> {
  const name = `r${made++}`;
  const subject = { commonName: user ?? '', organizations: groups ?? [] };
  const pem = requestPem({ ...(KEYS[key] && { key: KEYS[key] }), subject, ...parts });
  const asked = signer === LEGACY ? 'example.com/legacy' : signer;
  expect((await requests.create(name, { signerName: asked, usages, request: pem })).status).toBe(201);
  if (signer === LEGACY) await requests.rewrite(name, asked, signer);
  expect((await requests.decide(name)).status).toBe(200);
  return requests.answered(name);
}

it('the table has requests of all sorts', () => {
  const rows = TABLE.flatMap((part) => part.rows);
  expect(rows.length).toBeGreaterThanOrEqual(60);
  expect(rows.filter(({ refusal }) => refusal !== undefined).length).toBeGreaterThanOrEqual(30);
});

describe.each(TABLE)('$signer', ({ signer, rows }) => {
  const refused = rows.filter(({ refusal }) => refusal !== undefined);
  const signed = rows.filter(({ refusal }) => refusal === undefined);

  it.each(signed)('signs a certificate $what', async (row) => {
    const { status } = await answerTo(signer, row);
    expect(status.conditions?.map(({ type }) => type)).toEqual(['Approved']);
    if (!haveOpenssl) return;
    const text = opensslText(directory, ca.pem, pemOf(status), ...(row.odd ? [] : ['-x509_strict']));
    for (const part of row.has ?? []) expect(text).toContain(part);
    for (const part of row.hasNot ?? []) expect(text).not.toContain(part);
    expect(text).toMatch(/X509v3 Basic Constraints: critical\s+CA:FALSE/);
    expect(text).toMatch(/X509v3 Authority Key Identifier:\s+(keyid:)?[0-9A-F:]{59}/);
  });

  it.skipIf(refused.length === 0).each(refused)('refuses a certificate $what', async (row) => {
    const { status } = await answerTo(signer, row);
    expect(status.certificate).toBeUndefined();
    expect(status.conditions?.map(({ type }) => type)).toEqual(['Approved', 'Failed']);
    expect(failureOf(status)).toMatchObject({
      status: 'True',
      reason: 'SignerValidationFailure',
      message: row.refusal,
      lastUpdateTime: expect.stringMatching(/Z$/),
      lastTransitionTime: expect.stringMatching(/Z$/),
    });
  });
});

describe('what is stored and cannot be signed fails, whoever stored it', () => {
  const usages = ['client auth'];

  it.each([
    ['a request that is none', (pem: string) => pem.slice(0, 40), 'PEM block type must be CERTIFICATE REQUEST'],
    ['a request with another signature', reversedEnd, 'the signature does not match the key'],
  ])('%s', async (_what, spoil, message) => {
    const name = `r${made++}`;
    const pem = requestPem({ key: KEYS.ed25519 ?? newPrivateKey() });
    const [good, bad] = [pem, spoil(pem)].map((text) => Buffer.from(text).toString('base64'));
    await requests.create(name, { signerName: CLIENT, usages, request: pem });
    await requests.rewrite(name, good ?? '', bad ?? '');
    await requests.decide(name);
    expect(failureOf((await requests.answered(name)).status)?.message).toBe(message);
  });

  it('a use that nobody knows', async () => {
    const name = `r${made++}`;
    await requests.create(name, { signerName: 'example.com/x', usages, request: {} });
    await requests.rewrite(name, 'example.com/x', LEGACY);
    await requests.rewrite(name, '["client auth"]', '["world domination"]');
    await requests.decide(name);
    expect(failureOf((await requests.answered(name)).status)?.message).toBe('unrecognized usage values');
  });
});

/** The last bytes of a signature, in another order. */
function reversedEnd(pem: string): string {
  const [begin = '', ...rest] = pem.trimEnd().split('\n');
  const end = rest.pop();
  const der = Buffer.from(rest.join(''), 'base64');
  der.subarray(-32, -1).reverse();
  return `${begin}\n${der.toString('base64')}\n${end}\n`;
}

it('what is denied, or for another signer, is left alone', async () => {
  const wanted = { usages: ['client auth'], request: {} };
  await requests.create('denied', { ...wanted, signerName: CLIENT });
  await requests.decide('denied', 'Denied');
  await requests.create('foreign', { ...wanted, signerName: 'example.com/own' });
  await requests.decide('foreign');
  await requests.create('undecided', { ...wanted, signerName: CLIENT });
  // By then the loop has had its turn with the others.
  await requests.issue('later', { ...wanted, signerName: CLIENT });
  for (const name of ['denied', 'foreign', 'undecided']) {
    const found = await requests.read(name);
    expect([found?.status.certificate, found && failureOf(found.status)]).toEqual([undefined, undefined]);
    expect(found).toBeDefined();
  }
});
