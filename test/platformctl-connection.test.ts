import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Platformctl } from './support/platformctl.ts';
import { credential, PluginFolder, V1 } from './support/plugin-folder.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

/** Which plane a line of platformctl reaches, and as whom. */

const seen: { readonly url: string; readonly headers: Readonly<Record<string, string | string[] | undefined>> }[] = [];
const plane = createServer((request, response) => {
  seen.push({ url: request.url ?? '', headers: request.headers });
  response.setHeader('content-type', 'application/json');
  const path = request.url ?? '';
  response.end(
    JSON.stringify(
      path.startsWith('/apis') ? { kind: 'APIGroupList', groups: [] } : { kind: 'APIVersions', versions: [] },
    ),
  );
});
let server: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => plane.listen(0, '127.0.0.1', resolve));
  server = `http://127.0.0.1:${(plane.address() as AddressInfo).port}`;
});
afterEach(() => {
  seen.length = 0;
});
afterAll(() => plane.close());

const config = (user: object, at = server): string =>
  JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: at } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });

const shown = (name: string): unknown[] => [...new Set(seen.map(({ headers }) => headers[name]))];

it('flags of the line go before what files say', async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'config'), config({ token: 'of-the-file' }, 'http://127.0.0.1:1'));
  const ctl = new Platformctl(directory, join(directory, 'config'));
  const flags = [
    `--server=${server}`,
    '--token=of-the-line',
    '--as=jane',
    '--as-group=dev',
    '--as-group=ops',
    '--as-uid=7',
  ];
  await ctl.succeed('api-versions', ...flags);
  expect(shown('authorization')).toEqual(['Bearer of-the-line']);
  expect(shown('impersonate-user')).toEqual(['jane']);
  expect(shown('impersonate-group')).toEqual(['dev, ops']);
  expect(shown('impersonate-uid')).toEqual(['7']);
});

it('several files are one configuration, in the variable of either vocabulary', async () => {
  const directory = await temporaryDirectory();
  const files = ['gone', 'first', 'second'].map((name) => join(directory, name));
  await writeFile(join(directory, 'first'), 'users: [{name: u, user: {token: first}}]');
  await writeFile(join(directory, 'second'), config({ token: 'second' }));
  const list = files.join(delimiter);
  await new Platformctl(directory, list).succeed('api-versions');
  const { code } = await new Platformctl(directory, '').run(['api-versions'], { env: { KUBECONFIG: list } });
  expect([code, ...shown('authorization')]).toEqual([0, 'Bearer first']);
});

it('a plugin is run once, however many requests a line takes', async () => {
  const folder = await PluginFolder.make();
  const command = await folder.printing(credential({ token: 'of-the-plugin' }));
  await writeFile(join(folder.path, 'config'), config({ exec: { command, apiVersion: V1, interactiveMode: 'Never' } }));
  await new Platformctl(folder.path, join(folder.path, 'config')).succeed('api-versions');
  expect(seen.length).toBeGreaterThan(1);
  expect(shown('authorization')).toEqual(['Bearer of-the-plugin']);
  expect(await folder.runs()).toBe(1);
});

it('a plugin that fails is one line', async () => {
  const folder = await PluginFolder.make();
  const user = {
    exec: { command: 'no-such-login', apiVersion: V1, interactiveMode: 'Never', installHint: 'Ask Jane.' },
  };
  await writeFile(join(folder.path, 'config'), config(user));
  const { code, stderr } = await new Platformctl(folder.path, join(folder.path, 'config')).run(['api-versions']);
  expect([code, stderr]).toEqual([
    1,
    'error: credential plugin no-such-login: there is no such program on the PATH: Ask Jane.\n',
  ]);
});

it('nothing is waited for longer than the line says', async () => {
  const sockets = new Set<Socket>();
  const silent = createTcpServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const directory = await temporaryDirectory();
  const ctl = new Platformctl(directory, '');
  const at = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const { code, stderr } = await ctl.run(['api-versions', `--server=${at}`, '--request-timeout=50ms']);
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: .*in time.*\n$/)]);
});

it('without any configuration a line says what is missing', async () => {
  const directory = await temporaryDirectory();
  const { code, stderr } = await new Platformctl(directory, '').run(['api-versions']);
  const home = join(directory, '.platform', 'config');
  expect([code, stderr]).toEqual([
    1,
    `error: no server is configured: there is nothing in ${home}, and none is named\n`,
  ]);
});
