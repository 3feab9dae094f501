import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from './support/audit.ts';
import { type Answer, http1Client, withToken } from './support/client.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const PRESERVED =
  '299 - "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning"';
const UNASKED =
  '299 - "Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens."';

let plane: TestServer;
beforeAll(async () => {
  plane = await startTestServer();
});
afterAll(() => plane.close());

const warningOf = ({ headers }: Answer) => headers.warning;

async function makeJob(name: string): Promise<string> {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  const { status, text } = await plane.admin.request('POST', JOBS, { metadata: { name }, spec: { template } });
  expect(status, text).toBe(201);
  return `${JOBS}/${name}`;
}

it.each([
  ['nothing', '', undefined, PRESERVED],
  ['a word in the query', '?propagationPolicy=Background', undefined, undefined],
  ['a word in the body', '', { propagationPolicy: 'Orphan' }, undefined],
  ['the older word', '', { orphanDependents: false }, undefined],
  ['a body about something else', '', { gracePeriodSeconds: 0 }, PRESERVED],
])('whoever deletes a job with %s about its pods', async (_what, query, options, warning) => {
  const path = await makeJob('one');
  const body = options && { kind: 'DeleteOptions', apiVersion: 'v1', ...options };
  const answer = await plane.admin.request('DELETE', `${path}${query}`, body);
  expect([answer.status, warningOf(answer)]).toEqual([200, warning]);
  await plane.admin.request('PATCH', path, { metadata: { finalizers: null } });
});

it('whoever deletes many jobs is warned once', async () => {
  const paths = [await makeJob('a'), await makeJob('b')];
  const answer = await plane.admin.request('DELETE', JOBS);
  expect([answer.status, warningOf(answer)]).toEqual([200, PRESERVED]);
  for (const path of paths) await plane.admin.request('PATCH', path, { metadata: { finalizers: null } });
});

it('whoever uses a token from a secret that its account lists is warned, and one whose token is asked about', async () => {
  const account = `${NAMESPACE}/serviceaccounts/robot`;
  await plane.admin.request('POST', `${NAMESPACE}/serviceaccounts`, { metadata: { name: 'robot' } });
  const annotations = { 'platform.io/service-account.name': 'robot' };
  await plane.admin.request('POST', `${NAMESPACE}/secrets`, {
    metadata: { name: 'kept', annotations },
    type: 'platform.io/service-account-token',
  });
  const token = await eventually(async () => {
    const { body } = await plane.admin.request('GET', `${NAMESPACE}/secrets/kept`);
    return body.data?.token && Buffer.from(body.data.token, 'base64').toString();
  });
  const robot = http1Client(withToken(plane.connection, token));
  const use = async () => warningOf(await robot.request('GET', '/version'));
  const review = async () =>
    warningOf(
      await plane.admin.request('POST', '/apis/authentication.platform.io/v1/tokenreviews', { spec: { token } }),
    );
  expect([await use(), await review()]).toEqual([undefined, undefined]);
  await plane.admin.request('PATCH', account, { secrets: [{ name: 'kept' }] });
  expect([await use(), await review()]).toEqual([UNASKED, UNASKED]);
  await plane.admin.request('PATCH', account, { secrets: null });
  expect(await use()).toBeUndefined();
  robot.close();
});

it('flow schemas are shown in the order in which requests are held against them', async () => {
  const path = '/apis/flowcontrol.apiserver.platform.io/v1beta2/flowschemas';
  const accept = 'application/json;as=Table;g=meta.platform.io;v=v1';
  const answer = await plane.admin.request('GET', path, undefined, { accept });
  const table: { rows: { cells: [string, string, number] }[] } = JSON.parse(answer.text);
  const shown = table.rows.map(({ cells: [name, , precedence] }) => ({ name, precedence: Number(precedence) }));
  expect(shown.length).toBeGreaterThan(5);
  expect(shown).toEqual([...shown].sort((a, b) => a.precedence - b.precedence || (a.name < b.name ? -1 : 1)));
  expect(shown[0]?.name).toBe('exempt');
  const { body } = await plane.admin.request('GET', path);
  const names = body.items.map(({ metadata }) => metadata.name);
  expect(names).toEqual([...names].sort());
});
