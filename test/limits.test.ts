import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  asNobody,
  type Client,
  type Headers,
  http1Client,
  http2Client,
  tlsOptions,
} from './support/client.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { workOf } from './support/work.ts';

let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer();
});

afterAll(() => plane.close());

const maps = '/api/v1/namespaces/default/configmaps';
let made = 0;
const fresh = (): string => `odd-${++made}`;

/** Whatever was sent, it was the client's fault, and the server is still there. */
async function expectRefusal(answer: Answer, ...statuses: number[]): Promise<void> {
  expect(statuses, answer.text.slice(0, 500)).toContain(answer.status);
  expect((await plane.admin.request('GET', '/readyz')).text).toBe('ok');
}

describe.each(Object.entries({ 'HTTP/1.1': http1Client, 'HTTP/2': http2Client }))('over %s', (_protocol, open) => {
  let client: Client;
  beforeAll(() => {
    client = open(plane.connection);
  });
  afterAll(() => client.close());

  const post = (body: unknown, headers?: Headers): Promise<Answer> => client.request('POST', maps, body, headers);

  it('a body of more than 3 MiB is refused with 413, which the client receives', async () => {
    const body = JSON.stringify({ metadata: { name: fresh() }, data: { filling: 'x'.repeat(4 << 20) } });
    const answer = await post(body);
    await expectRefusal(answer, 413);
    expect(answer.body).toMatchObject({ kind: 'Status', reason: 'RequestEntityTooLarge', code: 413 });
    expect(answer.body.message).toBe('Request entity too large: limit is 3145728');
  });

  it('a body of just 3 MiB is read', async () => {
    const empty = JSON.stringify({ metadata: { name: fresh() }, ignored: '' });
    const body = empty.replace('""', `"${'x'.repeat((3 << 20) - empty.length)}"`);
    expect(body.length).toBe(3 << 20);
    expect((await post(body)).status).toBe(201);
  });

  it.each([
    ['an object', '{"a":', '1', '}'],
    ['an array', '[', '', ']'],
  ])('%s nested 100,000 deep is refused with 400 at once', async (_what, left, middle, right) => {
    const nested = left.repeat(100_000) + middle + right.repeat(100_000);
    const work = await workOf(async () => {
      await expectRefusal(await post(`{"metadata":{"name":"deep"},"spec":${nested}}`), 400);
      await expectRefusal(await client.request('PATCH', `${maps}/deep`, nested), 400);
    });
    expect(work).toBeLessThan(2_000);
  });

  it('an object does not grow beyond the limit by patches', async () => {
    const name = fresh();
    const data = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${from + at}`, 'v']));
    expect((await post({ metadata: { name }, data: data(0, 9_000) })).status).toBe(201);
    for (const type of ['application/merge-patch+json', 'application/strategic-merge-patch+json']) {
      const patch = { data: data(9_000, 1_001) };
      const refused = await client.request('PATCH', `${maps}/${name}`, patch, { 'content-type': type });
      await expectRefusal(refused, 413);
      expect(refused.text).toContain('data has more than 10000 fields, entries or elements');
    }
  });

  it.each([
    ['no body', undefined, 400],
    ['an empty body', '', 400],
    ['truncated JSON', '{"metadata":{"name":"cut', 400],
    ['text behind the JSON', '{"metadata":{"name":"tail"}} {}', 400],
    ['a number', '7', 400],
    ['null', 'null', 422],
    ['a list', '[]', 400],
    ['a string where an object belongs', '{"metadata":"x"}', 400],
    ['a number where a string belongs', '{"metadata":{"name":7}}', 400],
    ['invalid UTF-8', Buffer.from('7b226d65746164617461223a7b226e616d65223a22ff227d7d', 'hex'), 400, 422],
    ['a lone surrogate in a name', '{"metadata":{"name":"\\ud800"}}', 422],
    ['a NUL in a name', '{"metadata":{"name":"a\\u0000b"}}', 422],
    ['a name of 10,000 letters', { metadata: { name: 'a'.repeat(10_000) } }, 422],
    ['another kind', { kind: 'Secret', metadata: { name: 'other' } }, 400],
  ] as [string, unknown, ...number[]][])('%s is refused', async (_what, body, ...statuses) => {
    await expectRefusal(await post(body), ...statuses);
  });

  it.each(['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/merge-patch+json', '}{'])(
    'a body of type %s is refused with 415',
    async (type) => {
      await expectRefusal(await post({ metadata: { name: fresh() } }, { 'content-type': type }), 415);
      if (type === 'application/merge-patch+json') return;
      await expectRefusal(await client.request('PATCH', `${maps}/any`, {}, { 'content-type': type }), 415);
    },
  );

  it('an answer of a type that is not offered is refused with 406', async () => {
    await expectRefusal(await client.request('GET', maps, undefined, { accept: 'application/xml' }), 406);
    await expectRefusal(await client.request('GET', maps, undefined, { accept: ';;,=,q=x' }), 200, 406);
  });

  it('a patch that is none is refused', async () => {
    const name = fresh();
    await post({ metadata: { name } });
    const json = { 'content-type': 'application/json-patch+json' };
    const patch = (body: unknown, headers?: Headers) => client.request('PATCH', `${maps}/${name}`, body, headers);
    await expectRefusal(await patch('', json), 400);
    await expectRefusal(await patch({}, json), 400);
    await expectRefusal(await patch([7], json), 400);
    await expectRefusal(await patch([{ op: 'dance', path: '/data' }], json), 400, 422);
    await expectRefusal(await patch([{ op: 'remove', path: '/data/none' }], json), 422);
    await expectRefusal(await patch([{ op: 'add', path: '/__proto__/polluted', value: 'yes' }], json), 400, 422);
    await expectRefusal(await patch([{ op: 'replace', path: '', value: 7 }], json), 400, 422);
    await expectRefusal(await patch('7'), 400, 422);
    await expectRefusal(await patch({ metadata: null }), 400, 422);
    await expectRefusal(await patch({ metadata: 7 }), 400, 422);
    const many = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'ConfigMap' }));
    await expectRefusal(await patch(many, json), 413);
  });

  it('headers of 60 KiB are read, of 140 KiB are refused with 431', async () => {
    const headers = (kibibytes: number): Headers =>
      Object.fromEntries(Array.from({ length: kibibytes / 20 }, (_, at) => [`x-large-${at}`, 'x'.repeat(20 << 10)]));
    await expectRefusal(await client.request('GET', maps, undefined, headers(60)), 200);
    const lone = open(plane.connection);
    await expectRefusal(await lone.request('GET', maps, undefined, headers(140)), 431);
    lone.close();
  });

  it.each([
    '//',
    '/api//v1/namespaces',
    '//api/v1/namespaces',
    '/api/v1/namespaces//configmaps',
    '/api/v1/namespaces/default//configmaps',
    '/api/v1/../../etc/passwd',
    '/api/v1/%2e%2e/%2e%2e/etc/passwd',
    '/api/v1/namespaces/default/configmaps/%2e%2e',
    '/api/v1/namespaces/default/configmaps/..%2f..%2fsecrets',
    '/api/v1/namespaces/default/configmaps/a%2fb',
    '/api/v1/namespaces/default%2fconfigmaps',
    '/api/v1/namespaces/%00/configmaps/a',
    '/api/v1/namespaces/default/configmaps/%zz',
    '/api/v1/namespaces/default/configmaps/%ff',
    '/api/v1/namespaces/default/configmaps/a/status/b/c/d',
    '/api/v1/__proto__',
    '/api/v1/constructor',
    '/apis/__proto__/v1/constructor',
    '/apis/constructor/prototype/toString/valueOf',
    '/api/__proto__/pods',
    '/api/v1/namespaces/__proto__/configmaps/__proto__',
    '/api/v1/namespaces/default/configmaps/a/__proto__',
    '/api/v1/watch',
    '/api/v1/watch/__proto__',
    '/api/v1/namespaces/',
    '/api/v1/pods/',
    '/readyz/',
    '/readyz/__proto__',
    '/%61pi/v1/namespaces',
    '/?',
    '/metrics/..',
  ])('the path %s leads to nothing worse than 404', async (path) => {
    const timed = `${path}${path.includes('?') ? '' : '?'}&timeoutSeconds=1&limit=1`;
    for (const method of ['GET', 'DELETE', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'PURGE']) {
      // A trailing slash is passed over, so that these would delete.
      if (method === 'DELETE' && /^\/(%61pi|api)\/v1\/(namespaces|pods)\/?$/.test(path)) continue;
      const { status, text } = await client.request(method, timed);
      expect(status, `${method} ${path}: ${text}`).toBeLessThan(500);
    }
  });

  it.each([
    'limit=-1',
    'limit=many',
    'limit=99999999999999999999',
    'continue=e30',
    'continue=bnVsbA',
    'continue=%00',
    'resourceVersion=-1',
    'resourceVersion=1e9',
    'resourceVersion=1&resourceVersionMatch=Sometimes',
    'labelSelector=%00',
    'labelSelector=a%20in%20(',
    `labelSelector=${'('.repeat(99)}`,
    'labelSelector=__proto__%3Dx',
    'fieldSelector=__proto__%3Dx',
    'fieldSelector=metadata.name%3D__proto__',
    'fieldSelector=%3D%3D%3D',
    'pretty=%ff',
    'watch=0&watch=1',
    'watch=1&resourceVersion=x',
    'watch=1&timeoutSeconds=-1&resourceVersion=x',
    'watch=1&timeoutSeconds=NaN&resourceVersion=x',
    '%',
    '&&&===',
    'a[b]=c&a[__proto__]=d',
  ])('the query %s is answered or refused, never failed', async (query) => {
    const { status, text } = await client.request('GET', `${maps}?${query}`);
    expect(status, text).toBeLessThan(500);
  });
});

describe('names that mean something to JavaScript', () => {
  const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'];

  /** JSON text, because an object literal would not hold `__proto__` as a key. */
  const textOf = (entries: readonly string[]): string => `{${entries.map((name) => `"${name}":"kept"`).join(',')}}`;

  it.each(['labels', 'annotations'])('are plain keys of %s', async (field) => {
    const name = fresh();
    const keys = field === 'labels' ? NAMES.filter((key) => key !== '__proto__') : NAMES;
    const given = keys.filter((key) => /^[A-Za-z]/.test(key));
    const body = `{"metadata":{"name":"${name}","${field}":${textOf(given)}}}`;
    const created = await plane.admin.request('POST', maps, body);
    expect(created.status, created.text).toBe(201);
    const read = await plane.admin.request('GET', `${maps}/${name}`);
    for (const key of given) expect(read.text).toContain(`"${key}":"kept"`);
    if (field === 'annotations') return;
    for (const key of given) {
      const selected = await plane.admin.request('GET', `${maps}?labelSelector=${key}%3Dkept`);
      expect(selected.body.items.map(({ metadata }) => metadata.name)).toEqual([name]);
      expect((await plane.admin.request('GET', `${maps}?labelSelector=%21${key}`)).text).not.toContain(`"${name}"`);
    }
  });

  it('are not labels of objects that have none', async () => {
    const name = fresh();
    await plane.admin.request('POST', maps, { metadata: { name } });
    for (const key of NAMES.filter((one) => /^[A-Za-z]/.test(one))) {
      const { text } = await plane.admin.request('GET', `${maps}?labelSelector=${key}`);
      expect(text).not.toContain(`"${name}"`);
    }
  });

  it('are plain keys of a config map, through create, update and patch', async () => {
    const name = fresh();
    const text = (value: string): string => textOf(NAMES).replaceAll('kept', value);
    const created = await plane.admin.request('POST', maps, `{"metadata":{"name":"${name}"},"data":${text('1')}}`);
    expect(created.status, created.text).toBe(201);
    for (const key of NAMES) expect(created.text).toContain(`"${key}":"1"`);
    const put = `{"metadata":{"name":"${name}"},"data":${text('2')}}`;
    const updated = await plane.admin.request('PUT', `${maps}/${name}`, put);
    for (const key of NAMES) expect(updated.text).toContain(`"${key}":"2"`);
    const merged = await plane.admin.request('PATCH', `${maps}/${name}`, `{"data":${text('3')}}`);
    for (const key of NAMES) expect(merged.text).toContain(`"${key}":"3"`);
    const operations = NAMES.map((key) => ({ op: 'replace', path: `/data/${key}`, value: '4' }));
    const json = { 'content-type': 'application/json-patch+json' };
    const patched = await plane.admin.request('PATCH', `${maps}/${name}`, operations, json);
    expect(patched.status, patched.text).toBe(200);
    for (const key of NAMES) expect(patched.text).toContain(`"${key}":"4"`);
    expect((await plane.admin.request('GET', `${maps}/${name}`)).text).toBe(patched.text);
  });

  it('are unknown fields at the top and inside, and pollute nothing', async () => {
    const name = fresh();
    const evil = '{"polluted":"yes"}';
    const fields = NAMES.map((key) => `"${key}":${evil}`).join(',');
    const body = `{${fields},"metadata":{"name":"${name}",${fields}},"data":{}}`;
    const created = await plane.admin.request('POST', maps, body);
    expect(created.status, created.text).toBe(201);
    expect(created.text).not.toContain('polluted');
    expect(created.headers.warning).toContain('unknown field');
    const strict = await plane.admin.request('POST', `${maps}?fieldValidation=Strict`, body.replace(name, fresh()));
    expect(strict.status).toBe(400);
    for (const key of NAMES) expect(strict.body.message).toContain(`"${key}"`);
    const merged = await plane.admin.request('PATCH', `${maps}/${name}`, `{${fields},"metadata":{${fields}}}`);
    expect(merged.status, merged.text).toBe(200);
    expect(Object.prototype).not.toHaveProperty('polluted');
    expect({}.constructor).toBe(Object);
    expect((await plane.admin.request('GET', `${maps}/${name}`)).text).not.toContain('polluted');
  });

  it('are names of nothing', async () => {
    for (const key of NAMES) {
      expect((await plane.admin.request('GET', `${maps}/${key}`)).status).toBe(404);
      expect((await plane.admin.request('GET', `/api/v1/namespaces/default/${key}`)).status).toBe(404);
      expect((await plane.admin.request('GET', `/api/v1/namespaces/default/configmaps/x/${key}`)).status).toBe(404);
    }
  });

  it('are no types of content', async () => {
    const name = fresh();
    await plane.admin.request('POST', maps, { metadata: { name } });
    for (const key of NAMES) {
      const patched = await plane.admin.request('PATCH', `${maps}/${name}`, {}, { 'content-type': key });
      expect(patched.status, patched.text).toBe(415);
      const accept = `application/json;as=${key};v=v1;g=meta.platform.io`;
      for (const path of [maps, `${maps}/${name}`, '/api', '/apis']) {
        expect((await plane.admin.request('GET', path, undefined, { accept })).status, `${path} as ${key}`).toBe(406);
      }
    }
  });

  it('are no methods', async () => {
    // HTTP/1.1 has a fixed set of methods: others do not get past its parser.
    const admin = http2Client(plane.connection);
    const nobody = http2Client(asNobody(plane.connection));
    for (const key of NAMES) {
      expect((await admin.request(key, maps)).status, key).toBe(405);
      const { body } = await nobody.request(key, maps);
      expect(body.message).toContain(`User "system:anonymous" cannot ${key.toLowerCase()} resource "configmaps"`);
    }
    admin.close();
    nobody.close();
  });
});

describe('bytes that are no request', () => {
  it('a URL of 1 MB is refused with 431', async () => {
    const lone = http1Client(plane.connection);
    await expectRefusal(await lone.request('GET', `${maps}?labelSelector=${'a'.repeat(1_000_000)}`), 431);
    lone.close();
  });

  /** Sends bytes as they are, and reads until the server closes. */
  const raw = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(plane.connection.server);
      let answer = '';
      const socket = connectTls({ host: hostname, port: Number(port), ...tlsOptions(plane.connection) });
      socket.setEncoding('utf8').on('data', (text: string) => {
        answer += text;
      });
      socket.on('error', reject).on('close', () => resolve(answer));
      socket.write(bytes);
    });

  it.each([
    ['nonsense', 'hello\r\n\r\n', 400],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n', 400],
    ['two lengths', `POST ${maps} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
    [
      'a length beside chunks',
      `POST ${maps} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
    ],
    ['a broken chunk', `POST ${maps} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
  ])('%s is refused with a plain answer', async (_what, bytes, status) => {
    expect(await raw(bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect((await plane.admin.request('GET', '/readyz')).text).toBe('ok');
  });
});
