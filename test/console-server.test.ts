import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CONSOLE_FOLDER } from './support/browser.ts';
import { asNobody, type Client, http1Client, withToken } from './support/client.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { askForUpgrade } from './support/upgrade.ts';

/** How the files of the console are served, who is let in by them, and what pages of others cannot do. */

let plane: TestServer;
let nobody: Client;

beforeAll(async () => {
  plane = await startTestServer({
    consoleFolder: CONSOLE_FOLDER,
    corsAllowedOrigins: ['^https://friend\\.example$'],
  });
  nobody = http1Client(asNobody(plane.connection));
});
afterAll(async () => {
  nobody.close();
  await plane.close();
});

const JSON_TYPE = { 'content-type': 'application/json' };
const get = (path: string, headers = {}) => nobody.request('GET', path, undefined, headers);

describe('files of the console', () => {
  it('are for everyone, whatever credentials they show', async () => {
    const unknown = http1Client(withToken(plane.connection, 'nonsense'));
    onTestFinished(() => unknown.close());
    for (const client of [nobody, unknown, plane.admin]) {
      const { status, headers, text } = await client.request('GET', '/console');
      expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/html; charset=utf-8' });
      expect(text).toContain('<div id="app">');
    }
  });

  it('may run and load nothing but themselves, in no frame, and hold no script or style in a page', async () => {
    const { headers, text } = await get('/console');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|style=| on\w+=/);
    expect([...text.matchAll(/(?:src|href)="([^"]+)"/g)].every(([, to = '']) => to.startsWith('/console/'))).toBe(true);
  });

  it('are kept for ever under names that change with them, and the page that names them is not kept', async () => {
    const page = await get('/console');
    expect(page.headers['cache-control']).toBe('no-store');
    const [, script = ''] = /src="([^"]+)"/.exec(page.text) ?? [];
    expect(script).toMatch(/\/console\/assets\/[\w-]+\.js$/);
    const plain = await get(script);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.vary).toContain('Accept-Encoding');
    const zipped = await get(script, { 'accept-encoding': 'gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true);
  });

  it('are the same under whatever name the server is asked for', async () => {
    const usual = await get('/console');
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', 'x-original-url': '/evil' };
    for (const more of [headers, { host: 'localhost:1' }, { forwarded: 'host=evil.example' }]) {
      const other = await get('/console?utm=1', more);
      expect(other.bytes.equals(usual.bytes)).toBe(true);
      expect(other.headers.location).toBeUndefined();
      expect(JSON.stringify(other.headers)).not.toMatch(/evil|localhost/);
    }
  });

  it.each(['/console/', '/console'])('lead nowhere else from %s', async (path) => {
    for (const more of ['', '?next=https://evil.example', '?redirect=//evil.example', '//evil.example']) {
      const { status, headers } = await get(`${path}${more}`);
      expect([200, 404]).toContain(status);
      expect(headers.location).toBeUndefined();
    }
  });

  it.each([
    '/console/nothing',
    '/console/../package.json',
    '/console/%2e%2e/names',
    '/console/manifest.json',
    '/console/assets/',
  ])('are those that were built: %s is none', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it('can only be read', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      expect((await nobody.request(method, '/console', {})).status).toBe(405);
    }
    const head = await nobody.request('HEAD', '/console');
    expect({ status: head.status, length: head.bytes.length }).toEqual({ status: 200, length: 0 });
  });

  it('are not there where the console is switched off', async () => {
    const without = await startTestServer({ enableConsole: false, consoleFolder: CONSOLE_FOLDER });
    onTestFinished(() => without.close());
    for (const path of ['/console', '/console/names.json', '/console/who']) {
      expect((await without.admin.request('GET', path)).status).toBe(404);
    }
    expect(without.server.consoleLogin()).toBeUndefined();
  });

  it('are few for the first view: less than 120 KB compressed', () => {
    const sizeOf = (name: string): number => readFileSync(join(CONSOLE_FOLDER, `${name}.gz`)).length;
    const page = gunzipSync(readFileSync(join(CONSOLE_FOLDER, 'index.html.gz'))).toString();
    const named = [...page.matchAll(/"\/console\/(assets\/[^"]+)"/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(2);
    const total = ['index.html', ...named].map(sizeOf).reduce((a, b) => a + b, 0);
    expect(total).toBeLessThan(120_000);
    expect(page).not.toMatch(/editor|plot/);
  });
});

describe('who is there', () => {
  it('is told by token or certificate, and is nobody without', async () => {
    const whoIs = async (client: Client) => (await client.request('GET', '/console/who')).body;
    expect(await whoIs(plane.admin)).toMatchObject({ user: 'platform-admin' });
    expect(await whoIs(nobody)).toEqual({});
    const token = http1Client(withToken(plane.connection, plane.server.adminToken));
    const wrong = http1Client(withToken(plane.connection, 'wrong'));
    onTestFinished(() => {
      for (const client of [token, wrong]) client.close();
    });
    expect(await whoIs(token)).toMatchObject({ user: 'platform-admin' });
    expect(await whoIs(wrong)).toEqual({});
  });
});

describe('a link to log in with', () => {
  const codeOf = (link: string | undefined): string => link?.split('#login=')[1] ?? '';
  const exchange = (code: unknown, headers: Record<string, string> = JSON_TYPE) =>
    nobody.request('POST', '/console/login', JSON.stringify({ code }), headers);

  it('is good once', async () => {
    const link = plane.server.consoleLogin();
    expect(link?.startsWith(`${plane.server.url}/console#login=`)).toBe(true);
    const granted = await exchange(codeOf(link));
    expect(granted.status).toBe(200);
    expect(granted.headers['cache-control']).toBe('no-store');
    expect(granted.headers['set-cookie']).toBeUndefined();
    const { token } = JSON.parse(granted.text);
    const client = http1Client(withToken(plane.connection, token));
    onTestFinished(() => client.close());
    expect((await client.request('GET', '/api/v1/secrets')).status).toBe(200);
    expect((await exchange(codeOf(link))).status).toBe(401);
  });

  it('is counted, whether it is good or not', async () => {
    const count = async (result: string): Promise<number> => {
      const { text } = await plane.admin.request('GET', '/metrics');
      return Number(
        new RegExp(`^apiserver_console_logins_total\\{result="${result}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0,
      );
    };
    const before = [await count('granted'), await count('refused')] as const;
    await exchange(codeOf(plane.server.consoleLogin()));
    await exchange('guessed');
    await exchange('guessed');
    expect([await count('granted'), await count('refused')]).toEqual([before[0] + 1, before[1] + 2]);
  });

  it('takes no token that somebody else chose, and no request that a page of others could send', async () => {
    expect((await exchange('chosen-by-somebody-else-entirely')).status).toBe(401);
    expect((await exchange({ length: 43 })).status).toBe(401);
    const code = codeOf(plane.server.consoleLogin());
    expect((await exchange(code, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await nobody.request('GET', `/console/login`)).status).toBe(405);
    expect((await nobody.request('GET', `/console/login?code=${code}`)).status).toBe(404);
    expect((await nobody.request('POST', `/console/login?code=${code}`, '{}', JSON_TYPE)).status).toBe(405);
    expect((await nobody.request('POST', '/console/login', 'x'.repeat(2_000), JSON_TYPE)).status).toBe(413);
    expect((await exchange(code)).status).toBe(200);
  });
});

describe('a page of another origin, in a browser that shows a certificate', () => {
  const MAPS = '/api/v1/namespaces/default/configmaps';
  const post = (client: Client, name: string, headers: Record<string, string>) =>
    client.request('POST', MAPS, JSON.stringify({ metadata: { name } }), headers);

  const FOREIGN: [string, Record<string, string>][] = [
    ['a form that sends text', { origin: 'https://evil.example', 'content-type': 'text/plain' }],
    ['a script without a type', { origin: 'https://evil.example', 'content-type': '' }],
    ['a script that browsers say is of another site', { ...JSON_TYPE, 'sec-fetch-site': 'cross-site' }],
    ['a page of the same host at another port', { ...JSON_TYPE, 'sec-fetch-site': 'same-site' }],
    ['a page without an origin', { ...JSON_TYPE, origin: 'null' }],
  ];
  it.each(FOREIGN)('changes nothing: %s', async (what, headers) => {
    const name = `csrf-${FOREIGN.findIndex(([one]) => one === what)}`;
    const answer = await post(plane.admin, name, headers);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ kind: 'Status', reason: 'Forbidden' });
    expect((await plane.admin.request('GET', `${MAPS}/${name}`)).status).toBe(404);
  });

  it('deletes nothing', async () => {
    await post(plane.admin, 'kept', JSON_TYPE);
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await plane.admin.request('DELETE', `${MAPS}/kept`, undefined, foreign)).status).toBe(403);
    expect((await plane.admin.request('GET', `${MAPS}/kept`)).status).toBe(200);
  });

  it('has nothing put through to what may take it for a change', async () => {
    const statusOf = async (path: string, headers: Record<string, string>) =>
      (await plane.admin.request('GET', `/api/v1/namespaces/default/${path}`, undefined, headers)).status;
    const services = ['services/web:80/proxy?now', 'services/web/proxy/', 'services/web/%70rox%79/a'];
    for (const path of ['pods/web/proxy', 'pods/web/proxy/quit', 'pods/web/%70roxy', ...services]) {
      expect(await statusOf(path, { 'sec-fetch-site': 'cross-site' }), path).toBe(403);
      // There is no such pod or service.
      expect(await statusOf(path, { 'sec-fetch-site': 'same-origin' }), path).not.toBe(403);
      expect(await statusOf(path, {}), path).not.toBe(403);
    }
    expect(await statusOf('configmaps', { 'sec-fetch-site': 'cross-site' })).toBe(200);
  });

  it('opens no connection to a container, which is no change by its method', async () => {
    const exec = '/api/v1/namespaces/default/pods/web/exec?command=sh';
    const statusOf = async (headers: Record<string, string>): Promise<number> => {
      const outcome = await askForUpgrade(plane.connection, 'GET', exec, { upgrade: 'websocket', ...headers });
      return 'status' in outcome ? outcome.status : 101;
    };
    const host = new URL(plane.server.url).host;
    expect(await statusOf({ origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf({ origin: `https://${host}.evil.example` })).toBe(403);
    expect(await statusOf({ origin: `https://${host}`, 'sec-fetch-site': 'cross-site' })).toBe(403);
    // There is no such pod.
    for (const origin of [`https://${host}`, 'https://friend.example']) expect(await statusOf({ origin })).toBe(404);
  });

  it('is told from our own pages, from those that are welcome, and from clients that are no browsers', async () => {
    const host = new URL(plane.server.url).host;
    const welcome: Record<string, string>[] = [
      JSON_TYPE,
      { ...JSON_TYPE, origin: `https://${host}` },
      { ...JSON_TYPE, origin: 'http://localhost:8001', 'sec-fetch-site': 'same-origin' },
      { ...JSON_TYPE, origin: 'https://friend.example', 'sec-fetch-site': 'cross-site' },
    ];
    for (const [i, headers] of welcome.entries())
      expect((await post(plane.admin, `own-${i}`, headers)).status).toBe(201);
  });

  it('may do what it shows a token for: no page of others has it', async () => {
    const client = http1Client(withToken(plane.connection, plane.server.adminToken));
    onTestFinished(() => client.close());
    const headers = { ...JSON_TYPE, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await post(client, 'by-token', headers)).status).toBe(201);
  });
});
