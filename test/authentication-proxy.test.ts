import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { StartOptions } from '../src/server/server.ts';
import { type Identity, TestAuthority } from './support/certificates.ts';
import { asNobody, type Client, type Headers, http1Client, http2Client } from './support/client.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { letGroupAsk, type Whoami, whoami } from './support/who-am-i.ts';

const users = new TestAuthority('users');
const proxies = new TestAuthority('proxies');
const proxy = proxies.client({ commonName: 'front-proxy' });

let directory: string;
let plane: TestServer;
let options: StartOptions;

beforeAll(async () => {
  directory = await makeDirectory();
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(directory, name), text);
    return join(directory, name);
  };
  options = {
    tokenAuthFile: await file('tokens.csv', 'bob-token,bob,2\n'),
    clientCaFile: await file('users.crt', users.pem),
    requestheaderClientCaFile: await file('proxies.crt', new TestAuthority('unused').pem + proxies.pem),
    requestheaderAllowedNames: ['another', 'front-proxy'],
    requestheaderUsernameHeaders: ['X-First', 'X-Remote-User'],
    requestheaderGroupHeaders: ['X-Remote-Group', 'X-More-Groups'],
    requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
  };
  plane = await startTestServer(options);
  await letGroupAsk(plane.admin, 'system:authenticated');
});

afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

function client(identity: Partial<Identity> & { token?: string }, open = http1Client): Client {
  const opened = open({ ...asNobody(plane.connection), ...identity });
  onTestFinished(() => opened.close());
  return opened;
}

const asking = (identity: Identity, headers: Headers): Promise<Whoami | number> => whoami(client(identity), headers);

describe('an authenticating proxy', () => {
  it.each([http1Client, http2Client])('says who the user is, their groups, and whatever else', async (open) => {
    const headers = {
      'x-remote-user': 'dave',
      'X-Remote-Group': ['a', 'b, c'],
      'x-more-groups': 'd',
      'X-Remote-Extra-Scopes': ['one', 'two'],
      'x-remote-extra-Example.com%2fPart': 'x',
      'x-remote-extra-50%': 'y',
      'x-remote-uid': 'not a header that counts',
    };
    expect(await whoami(client(proxy, open), headers)).toEqual({
      username: 'dave',
      groups: ['a', 'b, c', 'd', 'system:authenticated'],
      extra: { scopes: ['one', 'two'], 'example.com/part': ['x'], '50%': ['y'] },
    });
  });

  it.each([http1Client, http2Client])('names users in any script', async (open) => {
    const bytes = (text: string): string => Buffer.from(text).toString('latin1');
    const sent = client(proxy, open);
    expect(
      await whoami(sent, { 'x-remote-user': bytes('Дейв'), 'x-remote-group': bytes('développeurs') }),
    ).toMatchObject({
      username: 'Дейв',
      groups: ['développeurs', 'system:authenticated'],
    });
    expect(await whoami(sent, { 'x-remote-user': '\xff\xfe' })).toBe(400);
  });

  it('names the user in the first header that has a value', async () => {
    expect(await asking(proxy, { 'x-first': 'one', 'x-remote-user': 'two' })).toMatchObject({ username: 'one' });
    expect(await asking(proxy, { 'x-first': '', 'x-remote-user': 'two' })).toMatchObject({ username: 'two' });
    expect(await asking(proxy, { 'x-first': ['one', 'two'] })).toMatchObject({ username: 'one' });
    expect(await asking(proxy, { 'x-first': ['', 'two'] })).toBe(401);
  });

  it('speaks for many users over one connection', async () => {
    const sent = client(proxy);
    for (const name of ['dave', 'erin', 'dave']) {
      expect(await whoami(sent, { 'x-remote-user': name })).toMatchObject({ username: name });
    }
    expect(await whoami(sent)).toBe(401);
  });

  it('that names nobody is nobody', async () => {
    expect(await asking(proxy, {})).toBe(401);
    expect(await asking(proxy, { 'x-remote-group': 'system:masters' })).toBe(401);
    const { status } = await client(proxy).request('GET', '/readyz');
    expect(status).toBe(401);
  });
});

describe('identity headers', () => {
  const headers = { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' };

  it('of a proxy by a name that is not allowed mean nothing', async () => {
    expect(await asking(proxies.client({ commonName: 'intruder' }), headers)).toBe(401);
    expect(await asking(proxies.client({ commonName: 'x', organizations: ['front-proxy'] }), headers)).toBe(401);
  });

  it('of a user mean nothing, whatever the name', async () => {
    const carol = users.client({ commonName: 'front-proxy', organizations: ['dev'] });
    expect(await asking(carol, headers)).toEqual({ username: 'front-proxy', groups: ['dev', 'system:authenticated'] });
  });

  it('of someone with a token or with nothing mean nothing', async () => {
    expect(await whoami(client({ token: 'bob-token' }), headers)).toMatchObject({ username: 'bob' });
    const { body } = await client({}).request('GET', '/api/v1/secrets', undefined, headers);
    expect(body.message).toContain('User "system:anonymous"');
    const injected = await plane.server.inject({ target: '/api/v1/secrets', headers });
    expect(injected.body.toString()).toContain('system:anonymous');
  });

  it('of a certificate that only calls itself one of the proxies mean nothing', async () => {
    expect(await asking(new TestAuthority('proxies').client({ commonName: 'front-proxy' }), headers)).toBe(401);
    expect(await asking(proxies.client({ commonName: 'front-proxy' }, { usages: ['server auth'] }), headers)).toBe(401);
    expect(await asking(proxies.client({ commonName: 'front-proxy' }, { notAfter: Date.now() - 1000 }), headers)).toBe(
      401,
    );
  });
});

describe('a certificate of the proxies', () => {
  it('is not one of a user', async () => {
    expect(await asking(proxies.client({ commonName: 'admin', organizations: ['system:masters'] }), {})).toBe(401);
  });

  it('does not stand in the way of a token', async () => {
    expect(await whoami(client({ ...proxy, token: 'bob-token' }))).toMatchObject({ username: 'bob' });
  });
});

describe('settings of authenticating proxies', () => {
  const start = async (given: StartOptions): Promise<string> =>
    startTestServer(given).then(
      () => 'started',
      (error: Error) => error.message,
    );

  it('that would trust anyone, or nobody, keep the server from starting', async () => {
    const { requestheaderClientCaFile: _file, ...withoutFile } = options;
    expect(await start(withoutFile)).toContain('need --requestheader-client-ca-file');
    expect(await start({ ...options, requestheaderUsernameHeaders: [] })).toContain('--requestheader-username-headers');
    expect(await start({ ...options, requestheaderExtraHeadersPrefix: [' '] })).toContain(
      '" " cannot be the name of a header',
    );
    const leaf = join(directory, 'leaf.crt');
    await writeFile(leaf, proxy.clientCertificate);
    expect(await start({ ...options, requestheaderClientCaFile: leaf })).toContain(
      `${leaf}: certificate 1 is not that of an authority`,
    );
  });

  it('without names trust every certificate of the authority', async () => {
    const open = await startTestServer({ ...options, requestheaderAllowedNames: [] });
    onTestFinished(() => open.close());
    const anyone = http1Client({ ...asNobody(open.connection), ...proxies.client({ commonName: 'anyone' }) });
    onTestFinished(() => anyone.close());
    const { body } = await anyone.request('GET', '/api/v1/secrets', undefined, { 'x-remote-user': 'dave' });
    expect(body.message).toContain('User "dave"');
  });
});
