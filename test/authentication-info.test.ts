import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from './support/audit.ts';
import { TestAuthority } from './support/certificates.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const MAPS = '/api/v1/namespaces/platform-system/configmaps';
const INFO = `${MAPS}/extension-apiserver-authentication`;
const [users, others, proxies] = [new TestAuthority('u'), new TestAuthority('o'), new TestAuthority('p')];
const runtime = new ShiftableRuntime();

let directory: string;
let plane: TestServer;
beforeAll(async () => {
  directory = await makeDirectory();
  await Promise.all([write('users.crt', users.pem), write('proxies.crt', proxies.pem)]);
  plane = await startTestServer({
    runtime,
    clientCaFile: join(directory, 'users.crt'),
    requestheaderClientCaFile: join(directory, 'proxies.crt'),
    requestheaderAllowedNames: ['front-proxy'],
    requestheaderUsernameHeaders: ['X-Remote-User'],
    requestheaderGroupHeaders: ['X-Remote-Group'],
    requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
  });
});
afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

async function write(name: string, content: string): Promise<void> {
  await writeFile(join(directory, `${name}.new`), content);
  await rename(join(directory, `${name}.new`), join(directory, name));
}

const read = async (): Promise<Record<string, string>> => (await plane.admin.request('GET', INFO)).body.data ?? {};

const become = (isSo: (data: Record<string, string>) => boolean): Promise<Record<string, string>> =>
  eventually(async () => {
    const data = await read();
    return isSo(data) ? data : undefined;
  });

it('says how users are authenticated, to those who are allowed to know', async () => {
  const data = await become((found) => found['client-ca-file'] !== undefined);
  expect(Object.keys(data).sort()).toEqual([
    'client-ca-file',
    'requestheader-allowed-names',
    'requestheader-client-ca-file',
    'requestheader-extra-headers-prefix',
    'requestheader-group-headers',
    'requestheader-username-headers',
  ]);
  expect(data).toMatchObject({
    'requestheader-allowed-names': '["front-proxy"]',
    'requestheader-client-ca-file': proxies.pem,
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-username-headers': '["X-Remote-User"]',
  });
  // The server's own authority, which has signed the administrator's certificate, and the one that was given.
  expect(data['client-ca-file']).toContain(users.pem);
  expect(data['client-ca-file']?.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  const asUser = (name: string) => plane.admin.request('GET', INFO, undefined, { 'impersonate-user': name });
  expect((await asUser('system:kube-scheduler')).status).toBe(200);
  expect((await asUser('alice')).status).toBe(403);
});

it('comes back when it is deleted, and as it was when it is changed', async () => {
  const before = await become((found) => found['client-ca-file'] !== undefined);
  await plane.admin.request('DELETE', INFO);
  expect(await become((found) => found['client-ca-file'] !== undefined)).toEqual(before);
  await plane.admin.request('PATCH', INFO, {
    data: { 'client-ca-file': others.pem, 'requestheader-allowed-names': '["anyone"]', note: 'stays' },
  });
  const data = await become((found) => found['client-ca-file'] === before['client-ca-file']);
  expect(data).toEqual({ ...before, note: 'stays' });
});

it('follows the files of authorities', async () => {
  await become((found) => found['client-ca-file'] !== undefined);
  await Promise.all([write('users.crt', others.pem), write('proxies.crt', users.pem)]);
  await eventually(async () => {
    runtime.advance(5_000);
    const data = await read();
    const isSo = data['client-ca-file']?.includes(others.pem) && data['requestheader-client-ca-file'] === users.pem;
    return isSo || undefined;
  });
  expect((await read())['client-ca-file']).not.toContain(users.pem);
});

it('says nothing of proxies where there are none', async () => {
  const alone = await startTestServer();
  const data = await eventually(async () => (await alone.admin.request('GET', INFO)).body.data);
  expect(Object.keys(data)).toEqual(['client-ca-file']);
  await alone.close();
});
