import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { eventsOf, eventually, policyFile, type RecordedEvent } from './support/audit.ts';
import { type Answer, asNobody, http1Client, withToken } from './support/client.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** What the audit log has of those who log in to the console with a code. */

const LOGIN = '/console/login';

async function start(
  options: { auditLogPath: string } & Parameters<typeof startTestServer>[0],
  rules: readonly object[] = [{ level: 'RequestResponse' }],
): Promise<TestServer> {
  const auditPolicyFile = await policyFile(await temporaryDirectory(), rules);
  const plane = await startTestServer({ auditPolicyFile, controllers: ['-*'], ...options });
  onTestFinished(() => plane.close());
  return plane;
}

const codeOf = ({ server }: TestServer): string => server.consoleLogin()?.split('#login=')[1] ?? '';

function logIn({ connection }: TestServer, code: string): Promise<Answer> {
  const client = http1Client(asNobody(connection));
  onTestFinished(() => client.close());
  const headers = { 'content-type': 'application/json', 'user-agent': 'browser/1' };
  return client.request('POST', LOGIN, JSON.stringify({ code }), headers);
}

const recordOf = (file: string, { headers }: Answer, count: number): Promise<RecordedEvent[]> =>
  eventually(async () => {
    const events = await eventsOf(file, String(headers['audit-id']));
    return events.length >= count ? events : undefined;
  });

it('who comes in is recorded as any request is, and neither the code nor the token is', async () => {
  const auditLogPath = join(await temporaryDirectory(), 'audit.log');
  const plane = await start({ auditLogPath });
  const code = codeOf(plane);
  const answer = await logIn(plane, code);
  const events = await recordOf(auditLogPath, answer, 2);
  expect(events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseComplete']);
  expect(events[1]).toMatchObject({
    level: 'RequestResponse',
    requestURI: LOGIN,
    verb: 'post',
    user: { username: 'platform-admin' },
    sourceIPs: ['127.0.0.1'],
    userAgent: 'browser/1',
    responseStatus: { code: 200 },
  });
  const { token } = JSON.parse(answer.text);
  const client = http1Client(withToken(plane.connection, token));
  onTestFinished(() => client.close());
  await recordOf(auditLogPath, await client.request('GET', '/api/v1/nodes'), 2);
  const text = await readFile(auditLogPath, 'utf8');
  expect(token.length).toBeGreaterThan(40);
  for (const secret of [code, token]) expect(text).not.toContain(secret);
});

it('who does not come in is recorded as somebody whom nobody knows', async () => {
  const auditLogPath = join(await temporaryDirectory(), 'audit.log');
  const plane = await start({ auditLogPath });
  const [event, ...more] = await recordOf(auditLogPath, await logIn(plane, 'guessed'), 1);
  expect(more).toEqual([]);
  expect(event).toMatchObject({ requestURI: LOGIN, verb: 'post', user: {}, responseStatus: { code: 401 } });
  expect(await readFile(auditLogPath, 'utf8')).not.toContain('guessed');
});

it('what the policy says of the path counts', async () => {
  const auditLogPath = join(await temporaryDirectory(), 'audit.log');
  const rules = [{ level: 'None', nonResourceURLs: ['/console/*'] }, { level: 'Metadata' }];
  const plane = await start({ auditLogPath }, rules);
  const answer = await logIn(plane, codeOf(plane));
  await recordOf(auditLogPath, await plane.admin.request('GET', '/version'), 2);
  expect(await eventsOf(auditLogPath, String(answer.headers['audit-id']))).toEqual([]);
});

it('nobody comes in whose log-in cannot be recorded, where all must be, and the code is used up', async () => {
  const auditLogPath = join(await temporaryDirectory(), 'full.log');
  await symlink('/dev/full', auditLogPath);
  const plane = await start({ auditLogPath, auditLogMode: 'blocking-strict' }, [
    { level: 'Metadata', nonResourceURLs: [LOGIN] },
    { level: 'None' },
  ]);
  const code = codeOf(plane);
  const answer = await logIn(plane, code);
  expect([answer.status, answer.text]).toEqual([500, expect.stringContaining('failed to store audit event')]);
  expect((await logIn(plane, code)).status).toBe(401);
  const { text } = await plane.admin.request('GET', '/metrics');
  expect(text).toContain('apiserver_console_logins_total{result="refused"} 2');
  expect(text).not.toContain('apiserver_console_logins_total{result="granted"}');
});

it('a flood of guesses is counted as a whole and logged in part, and who comes in amid it is logged', async () => {
  const lines: Record<string, unknown>[] = [];
  const nothing = () => {};
  const logger = { info: nothing, error: nothing, warn: (fields: object) => void lines.push({ ...fields }) };
  const runtime = new ShiftableRuntime();
  const plane = await startTestServer({ logger, runtime, controllers: ['-*'] });
  onTestFinished(() => plane.close());
  for (let at = 0; at < 50; at++) await logIn(plane, 'guessed');
  await logIn(plane, codeOf(plane));
  runtime.advance(11_000);
  await logIn(plane, 'guessed');
  const told = lines.filter(({ result }) => result !== undefined);
  const refused = { result: 'refused', from: '127.0.0.1' };
  expect(told.slice(0, 20)).toMatchObject(Array.from({ length: 20 }, () => refused));
  expect(told.slice(20)).toMatchObject([{ result: 'granted' }, { ...refused, untold: 30 }]);
  const { text } = await plane.admin.request('GET', '/metrics');
  expect(text).toContain('apiserver_console_logins_total{result="refused"} 51');
});
