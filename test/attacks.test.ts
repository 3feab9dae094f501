import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { asNobody, type Client, type Headers, http1Client, http2Client, withToken } from './support/client.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { letGroupAsk, whoami } from './support/who-am-i.ts';
import { workOf } from './support/work.ts';

const apiGroup = 'rbac.authorization.platform.io';
const HIDDEN = Buffer.from('what nobody may see').toString('base64');
const SECRET = '/api/v1/namespaces/default/secrets/s';
const CROWD = Array.from({ length: 10_000 }, (_, at) => `group-${at}`);

let directory: string;
let plane: TestServer;

beforeAll(async () => {
  directory = await makeDirectory();
  const tokens = [
    'eve-token,eve,1',
    'proto-token,__proto__,2,"__proto__,constructor"',
    `crowd-token,crowd,3,"${CROWD.join(',')}"`,
  ];
  await writeFile(join(directory, 'tokens.csv'), `${tokens.join('\n')}\n`);
  plane = await startTestServer({ tokenAuthFile: join(directory, 'tokens.csv') });
  const secrets = SECRET.slice(0, SECRET.lastIndexOf('/'));
  const stored = await plane.admin.request('POST', secrets, { metadata: { name: 's' }, data: { key: HIDDEN } });
  expect(stored.status).toBe(201);
  await bind('eve', 'view', { kind: 'User', name: 'eve' });
  await letGroupAsk(plane.admin, 'system:authenticated');
});

afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

async function bind(name: string, role: string, subject: { kind: string; name: string }): Promise<void> {
  const { status } = await plane.admin.request('POST', `/apis/${apiGroup}/v1/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup, ...subject }],
  });
  expect(status).toBe(201);
}

function client(token?: string, open = http1Client): Client {
  const opened = open(token === undefined ? asNobody(plane.connection) : withToken(plane.connection, token));
  onTestFinished(() => opened.close());
  return opened;
}

/** Ways to write a path that some parser on the way may read otherwise than another. */
const separator = fc.constantFrom(
  '/',
  '/',
  '/',
  '//',
  '/./',
  '/x/../',
  '/%2e/',
  '/%2e%2e/',
  '%2f',
  '%2F',
  '%5c',
  '/;/',
);
const PARTS = SECRET.slice(1).split('/');
const encoded = (text: string): string => text.replace(/./g, (it) => `%${it.charCodeAt(0).toString(16)}`);
const disguise = fc.constantFrom<(part: string) => string>(
  (part) => part,
  (part) => part,
  (part) => part,
  encoded,
  (part) => encoded(encoded(part)),
  (part) => part.toUpperCase(),
  (part) => `${part}%00`,
  (part) => `${part};x`,
  (part) => `${part}.`,
  (part) => `${part}%20`,
  (part) => `%ef%bc%8f${part}`,
);
const before = fc.constantFrom('', '', '/healthz', '/healthz/..', '/version/%2e%2e', '/livez/..%2f', '/readyz/;', '/.');
const after = fc.constantFrom('', '', '/', '//', '/.', '/..', '%2f', '%00', '?', '?watch=0', '/status', '?x=/healthz');
const path = fc
  .tuple(before, fc.tuple(...PARTS.map(() => separator)), fc.tuple(...PARTS.map(() => disguise)), after)
  .map(([left, separators, disguises, right]) => {
    const parts = PARTS.map((part, at) => (separators[at] ?? '/') + (disguises[at]?.(part) ?? part));
    const joined = `${left}${parts.join('')}${right}`;
    return joined.startsWith('/') ? joined : `/${joined}`;
  });

describe.each(Object.entries({ 'HTTP/1.1': http1Client, 'HTTP/2': http2Client }))('over %s', (_protocol, open) => {
  it('no way of writing a path shows what the path itself would not', async () => {
    const [admin, eve, nobody] = [open(plane.connection), client('eve-token', open), client(undefined, open)];
    onTestFinished(() => admin.close());
    let shown = 0;
    await fc.assert(
      fc.asyncProperty(path, async (written) => {
        const answers = await Promise.all([eve, nobody].map((one) => one.request('GET', written)));
        for (const { status, text } of answers) {
          expect(text).not.toContain(HIDDEN);
          expect(status).toBeLessThan(500);
        }
        const { status, text } = await admin.request('GET', written);
        expect(status).toBeLessThan(500);
        if (!text.includes(HIDDEN)) return;
        shown++;
        expect(answers.map((answer) => answer.status)).toEqual([403, 403]);
      }),
      { numRuns: 100, seed: 7, examples: [[SECRET], [`${SECRET}/`], [`/api/v1/namespaces/default/secrets/%73`]] },
    );
    expect(shown).toBeGreaterThan(1);
  });

  it('a very long path is a path like any other', async () => {
    const eve = client('eve-token', open);
    for (const long of [
      `/${'a/'.repeat(20_000)}`,
      `${SECRET}/${'x'.repeat(40_000)}`,
      `${SECRET}${'/'.repeat(20_000)}`,
    ]) {
      const { status, text } = await eve.request('GET', long);
      expect([403, 404]).toContain(status);
      expect(text).not.toContain(HIDDEN);
    }
  });

  it('a megabyte of headers is refused, and the server goes on', async () => {
    const headers = { 'impersonate-user': 'eve', 'impersonate-group': Array(10_000).fill('g'.repeat(100)) };
    const lone = open(plane.connection);
    const outcome = await lone.request('GET', SECRET, undefined, headers).then(
      ({ status }) => status,
      () => 'cut off',
    );
    lone.close();
    expect([431, 'cut off']).toContain(outcome);
    expect((await plane.admin.request('GET', '/readyz')).text).toBe('ok');
  });
});

it.each<[string, Headers]>([
  ['another spelling', { impersonate_user: 'admin', 'x-impersonate-user': 'admin' }],
  ['another method', { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE', 'x-http-method': 'DELETE' }],
  ['another address', { 'x-original-url': '/healthz', 'x-rewrite-url': '/healthz', 'x-forwarded-prefix': '/healthz' }],
  ['a proxy that is none', { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' }],
  ['a way here', { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1', 'x-real-ip': '127.0.0.1' }],
])('headers that claim %s change nothing', async (_, headers) => {
  const { status, body } = await client('eve-token').request('GET', SECRET, undefined, headers);
  expect(status).toBe(403);
  expect(body.message).toContain('User "eve" cannot get resource "secrets"');
});

it('a header that asks for less cannot be declared a matter of the connection', async () => {
  const headers = { 'impersonate-user': 'eve', connection: 'keep-alive, impersonate-user' };
  const { status, body } = await plane.admin.request('GET', SECRET, undefined, headers);
  expect([status, body.message]).toEqual([403, expect.stringContaining('User "eve"')]);
});

describe('names that objects have by nature', () => {
  const NATURAL = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

  it('are plain names of users, groups and extras', async () => {
    expect(await whoami(client('proto-token'))).toMatchObject({
      username: '__proto__',
      groups: ['__proto__', 'constructor', 'system:authenticated'],
    });
    for (const name of NATURAL) {
      const headers = { 'impersonate-user': name, 'impersonate-group': [name], [`impersonate-extra-${name}`]: name };
      const found = await whoami(plane.admin, headers);
      expect(found).toMatchObject({ username: name, groups: [name, 'system:authenticated'] });
      const extra = Object.entries(Object(found).extra ?? {});
      expect(extra).toEqual([[name.toLowerCase(), [name]]]);
    }
  });

  it('have no rights, and get those that are given to them alone', async () => {
    const eve = client('eve-token');
    const proto = client('proto-token');
    const pods = '/api/v1/namespaces/default/pods';
    expect((await proto.request('GET', pods)).status).toBe(403);
    await bind('natural-user', 'view', { kind: 'User', name: '__proto__' });
    expect((await proto.request('GET', pods)).status).toBe(200);
    await bind('natural-group', 'cluster-admin', { kind: 'Group', name: 'constructor' });
    expect((await proto.request('GET', SECRET)).status).toBe(200);
    expect((await eve.request('GET', SECRET)).status).toBe(403);
    expect((await client().request('GET', pods)).status).toBe(403);
  });

  it('are reviewed as what they are', async () => {
    // Written by hand: a literal would set the prototype.
    const spec =
      '"user":"__proto__","extra":{"__proto__":["x"]},"resourceAttributes":{"verb":"get","resource":"nodes"}';
    const path = '/apis/authorization.platform.io/v1/subjectaccessreviews';
    const { status, text } = await plane.admin.request('POST', path, `{"spec":{${spec}}}`);
    expect(status).toBe(201);
    expect(text).toContain('"extra":{"__proto__":["x"]}');
  });
});

describe('ten thousand groups', () => {
  it('are all looked at, in no time', async () => {
    const crowd = client('crowd-token');
    const pods = '/api/v1/namespaces/default/pods';
    expect((await crowd.request('GET', pods)).status).toBe(403);
    await bind('crowd', 'view', { kind: 'Group', name: CROWD.at(-1) ?? '' });
    const work = await workOf(async () => {
      for (let at = 0; at < 50; at++) expect((await crowd.request('GET', pods)).status).toBe(200);
      for (let at = 0; at < 50; at++) expect((await crowd.request('GET', SECRET)).status).toBe(403);
    });
    expect(work).toBeLessThan(8_000);
  });

  it('can be asked about', async () => {
    const path = '/apis/authorization.platform.io/v1/subjectaccessreviews';
    const resourceAttributes = { verb: 'get', resource: 'secrets', namespace: 'default' };
    const { body } = await plane.admin.request('POST', path, { spec: { groups: CROWD, resourceAttributes } });
    expect(body.status).toMatchObject({ allowed: false });
  });
});
