import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Platformctl } from './support/platformctl.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** What platformctl shows of who keeps a plane busy, and of requests that took long. */

const runtime = new ShiftableRuntime();
let plane: TestServer;
let directory: string;
let ctl: Platformctl;
beforeAll(async () => {
  directory = await makeDirectory();
  plane = await startTestServer({ runtime, slowRequestThreshold: 1 });
  const file = join(directory, 'admin.conf');
  await writeFile(file, plane.server.adminConfig);
  ctl = new Platformctl(directory, file);
});
afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

const MAPS = '/api/v1/namespaces/default/configmaps';
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

describe('platformctl', () => {
  it('shows who writes most, and which fields are fought over', async () => {
    for (let at = 0; at < 6; at++) {
      const manager = at % 2 === 0 ? 'one' : 'other';
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'fought' }, data: { a: manager } };
      await plane.admin.request(
        'PATCH',
        `${MAPS}/fought?fieldManager=${manager}&force=true`,
        JSON.stringify(body),
        APPLY,
      );
    }
    const text = await ctl.succeed('hot');
    expect(text).toMatch(/^WRITES +NO-OPS +KIND +USER +MANAGER$/m);
    expect(text).toMatch(/^3 +0 +configmaps +platform-admin +other$/m);
    expect(text).toMatch(/^5 +0 +configmaps\/fought +default +4$/m);
    expect(text).toMatch(/^4 +\.data\.a +configmaps\/fought +default +one, other$/m);
    expect(JSON.parse(await ctl.succeed('hot', '-o', 'json'))).toMatchObject({ kind: 'WriteActivity' });
  });

  it('tells what became of a slow request, by the id of its answer', async () => {
    const object = { metadata: { generateName: 'slow-' }, data: { a: 'x'.repeat(500_000) } };
    const { headers } = await plane.admin.request('POST', MAPS, object, { 'audit-id': 'mine' });
    expect(headers['audit-id']).toBe('mine');
    const text = await ctl.succeed('explain-request', 'mine');
    expect(text).toMatch(/^Request: +POST \/api\/v1\/namespaces\/default\/configmaps$/m);
    expect(text).toMatch(/^By: +platform-admin$/m);
    expect(text).toMatch(/^Answer: +201$/m);
    expect(text).toMatch(/^Kept because: +Slow$/m);
    expect(text).toMatch(/^ {2}handling +[\d.]+ms$/m);
    const answer = JSON.parse(await ctl.succeed('explain-request', 'mine', '-o', 'json'));
    expect(answer).toMatchObject({ kind: 'RememberedRequest', status: { auditID: 'mine', reasons: ['Slow'] } });
  });

  it('says so when nothing is remembered under an id', async () => {
    const { stderr } = await ctl.run(['explain-request', 'nothing']);
    expect(stderr).toContain('does not remember a request "nothing"');
  });
});
