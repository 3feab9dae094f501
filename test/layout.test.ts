import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, http2Client } from './support/client.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** How JSON is laid out for those who ask, and that every answer ends a line. */

const PATH = '/api/v1/namespaces/default/configmaps';
const LARGE = 'x'.repeat(40_000);
let plane: TestServer;
let clients: Client[];

beforeAll(async () => {
  plane = await startTestServer();
  clients = [plane.admin, http2Client(plane.connection)];
  for (const name of ['small', 'large']) {
    const data = { text: name === 'large' ? LARGE : 'x' };
    const made = await plane.admin.request('POST', PATH, { metadata: { name, labels: { own: 'yes' } }, data });
    expect(made.status).toBe(201);
  }
});

afterAll(async () => {
  clients[1]?.close();
  await plane.close();
});

async function textOf(client: Client, path: string, headers = {}): Promise<string> {
  const { text, headers: answered } = await client.request('GET', path, undefined, headers);
  expect(Number(answered['content-length'])).toBe(Buffer.byteLength(text));
  return text;
}

const compact = (text: string): string => `${JSON.stringify(JSON.parse(text))}\n`;
const indented = (text: string): string => `${JSON.stringify(JSON.parse(text), null, 2)}\n`;

const PATHS = [
  ['an object', `${PATH}/small`],
  ['a large object', `${PATH}/large`],
  ['a list', `${PATH}?labelSelector=own`],
  ['an error', `${PATH}/absent`],
  ['a refusal of the path', '/api/v1/nonsense'],
  ['a discovery document', '/apis'],
  ['a virtual list', '/api/v1/componentstatuses'],
] as const;

const JOIN: Readonly<Record<string, string>> = { true: '&', false: '?' };
const withQuery = (path: string, query: string): string => `${path}${JOIN[String(path.includes('?'))]}${query}`;

describe.each(PATHS)('%s', (_what, path) => {
  it('is sent to programs as it is stored, with a newline at the end', async () => {
    for (const client of clients) {
      for (const agent of ['kubectl/v1.25.0', 'Go-http-client/2.0', 'my-curl/1']) {
        const text = await textOf(client, path, { 'user-agent': agent });
        expect(text).toBe(compact(text));
      }
    }
  });

  it.each(['curl/8.1.2', 'Wget/1.21', 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101'])(
    'is laid out for the person behind %s',
    async (agent) => {
      for (const client of clients) {
        const text = await textOf(client, path, { 'user-agent': agent });
        expect(text).toBe(indented(text));
      }
    },
  );

  it('is laid out as the query says, whoever asks', async () => {
    const [client = plane.admin] = clients;
    const asked = await textOf(client, withQuery(path, 'pretty=true'), { 'user-agent': 'kubectl/v1.25.0' });
    expect(asked).toBe(indented(asked));
    const declined = await textOf(client, withQuery(path, 'pretty=false'), { 'user-agent': 'curl/8.1.2' });
    expect(declined).toBe(compact(declined));
  });

  it('is laid out for those who accept no other layout', async () => {
    const text = await textOf(plane.admin, path, { accept: 'application/json;pretty=1' });
    expect(text).toBe(indented(text));
  });
});

describe('a document under two layouts', () => {
  it('has a tag for each', async () => {
    const tagFor = async (agent: string) =>
      (await plane.admin.request('GET', '/apis', undefined, { 'user-agent': agent })).headers.etag;
    expect(await tagFor('curl/8')).not.toBe(await tagFor('kubectl'));
    const again = { 'user-agent': 'curl/8', 'if-none-match': String(await tagFor('curl/8')) };
    expect((await plane.admin.request('GET', '/apis', undefined, again)).status).toBe(304);
  });
});

describe('a watch', () => {
  it('has one event a line for people too: lines are how it is read', async () => {
    const watch = await plane.watch(`${PATH}?watch=1&labelSelector=own`, { 'user-agent': 'curl/8.1.2' });
    expect((await watch.take(2)).map(({ type }) => type)).toEqual(['ADDED', 'ADDED']);
    watch.close();
  });
});

describe('/version', () => {
  it('is laid out for people whoever asks, and says what was built', async () => {
    const text = await textOf(plane.admin, '/version', { 'user-agent': 'kubectl/v1.25.0' });
    expect(text).toBe(indented(text));
    expect(JSON.parse(text)).toMatchObject({ major: '1', minor: '25', compiler: 'v8' });
  });
});
