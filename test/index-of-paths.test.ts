import { afterAll, beforeAll, expect, it } from 'vitest';
import { asNobody, http1Client } from './support/client.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

let plane: TestServer;
beforeAll(async () => {
  plane = await startTestServer();
});
afterAll(() => plane.close());

const index = async (path = '/'): Promise<string[]> => {
  const answer = await plane.admin.request('GET', path);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
  return JSON.parse(answer.text).paths;
};

it('every path of the index leads somewhere, and they are sorted', async () => {
  const paths = await index();
  expect(paths).toEqual([...paths].sort());
  expect(new Set(paths).size).toBe(paths.length);
  for (const path of paths) {
    const { status } = await plane.admin.request('GET', path.startsWith('/openapi/v3/') ? '/openapi/v3' : path);
    expect([path, status]).toEqual([path, 200]);
  }
});

it('the index shows groups, versions, checks and what else is no resource', async () => {
  expect(await index()).toEqual(
    expect.arrayContaining([
      '/.well-known/openid-configuration',
      '/api',
      '/api/v1',
      '/apis',
      '/apis/',
      '/apis/apps',
      '/apis/apps/v1',
      '/healthz',
      '/healthz/ping',
      '/livez/ping',
      '/metrics',
      '/openapi/v2',
      '/openapi/v3',
      '/openid/v1/jwks',
      '/readyz/shutdown',
      '/version',
    ]),
  );
  expect(await index('/index.html')).toEqual(await index());
});

it('the index can only be read, and not by everyone', async () => {
  expect((await plane.admin.request('POST', '/', {})).status).toBe(405);
  const nobody = http1Client(asNobody(plane.connection));
  expect((await nobody.request('GET', '/')).status).toBe(403);
  nobody.close();
});

it.each(['/api', '/apis', '/apis/apps', '/apis/apps/v1'])(
  '%s is had in binary, or in JSON where that is the second choice and there is no binary',
  async (path) => {
    const binary = 'application/vnd.platform.protobuf';
    const get = (accept: string) => plane.admin.request('GET', path, undefined, { accept });
    expect((await get(binary)).headers['content-type']).toBe(binary);
    expect((await get(`${binary},application/json`)).headers['content-type']).toBe(binary);
    // Nothing has this form in binary.
    const whole = ';g=apidiscovery.platform.io;v=v2;as=APIGroupDiscoveryList';
    expect((await get(`${binary}${whole}`)).status).toBe(406);
    expect((await get(`${binary}${whole},application/json`)).headers['content-type']).toBe('application/json');
  },
);
