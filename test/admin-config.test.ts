import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Logger } from '../src/observe/logging/logger.ts';
import { startServer } from '../src/server/server.ts';
import { connectionOf } from './support/client.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

let dataDir: string;
let file: string;
let warnings: [object, string][];
let runtime: ShiftableRuntime;
const logger: Logger = { error() {}, info() {}, warn: (fields, message) => warnings.push([fields, message]) };

beforeEach(async () => {
  dataDir = await temporaryDirectory();
  file = join(dataDir, 'admin.conf');
  warnings = [];
  runtime = new ShiftableRuntime();
});

const read = (): Promise<string> => readFile(file, 'utf8');

/** Starts and stops a server; returns what it would have written. */
async function startOnce(): Promise<string> {
  await using server = await startServer({ store: 'memory', port: 0, dataDir, logger, runtime });
  expect(server.adminConfigFile).toBe(file);
  return server.adminConfig;
}

const KEPT = 'the admin configuration was changed by someone and is kept as it is; delete it to renew it';
const DAY = 24 * 60 * 60_000;

it('is written anew when the address has changed', async () => {
  for (let start = 0; start < 3; start++) {
    const wanted = await startOnce();
    expect(await connectionOf(await read())).toEqual(await connectionOf(wanted));
  }
  expect(warnings).toEqual([]);
});

it('is written anew when its certificate was renewed', async () => {
  const before = await connectionOf(await startOnce());
  runtime.advance(340 * DAY);
  await startOnce();
  const { clientCertificate } = await connectionOf(await read());
  expect(clientCertificate).toMatch(/^-----BEGIN CERTIFICATE/);
  expect(clientCertificate).not.toBe(before.clientCertificate);
});

it.each([
  ['the address', (text: string) => text.replace(/https:[^"]+/, 'https://plane.example:6443')],
  ['a line at the end', (text: string) => `${text}preferences: {}\n`],
  ['another document', () => 'apiVersion: v1\nkind: Config\n'],
  // As a client does that writes the whole file.
  [
    'without our comment',
    (text: string) => text.replace(/^#.*\n/, '').replace('current-context: ', 'current-context:  '),
  ],
  ['the digest', (text: string) => text.replace(/[0-9a-f]{64}/, '0'.repeat(64))],
])('is kept when someone changed it: %s', async (_what, change) => {
  await startOnce();
  const changed = change(await read());
  await writeFile(file, changed);
  await startOnce();
  expect(await read()).toBe(changed);
  expect(warnings).toEqual([[{ file }, KEPT]]);

  await rm(file);
  const wanted = await startOnce();
  expect(await read()).toContain(wanted);
});

it('is taken for ours when it is empty, or says what would be written', async () => {
  await writeFile(file, '\n');
  const text = await startOnce();
  expect(await read()).toContain(text);
  await using first = await startServer({ store: 'memory', port: 0, dataDir, logger });
  const { port } = first;
  await first.close();
  await writeFile(file, first.adminConfig);
  await (await startServer({ store: 'memory', port, dataDir, logger })).close();
  expect(await read()).toMatch(/^# Written by platform-apiserver/);
  expect(warnings).toEqual([]);
});
