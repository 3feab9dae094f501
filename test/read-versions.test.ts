import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject } from '../src/schema/json-object.ts';
import { type Answer, type Client, http2Client } from './support/client.ts';
import { insist } from './support/patience.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** Which version of a collection a read gets: every combination of the parameters that say so. */

const PATH = '/api/v1/namespaces/default/configmaps';
const OWN = 'labelSelector=own';
const RETENTION_MS = 600_000;
const runtime = new ShiftableRuntime();
let plane: TestServer;
let http2: Client;

/** By the names under which the tables below speak of them. */
const versions: Partial<Record<string, string>> = {};
const revisionOf = (version: string): string => versions[version] ?? version;
let token = '';

async function write(method: string, path: string, body?: object): Promise<string> {
  const answer = await plane.admin.request(method, path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body.metadata.resourceVersion;
}

const create = (name: string): Promise<string> => write('POST', PATH, { metadata: { name, labels: { own: 'yes' } } });

/** What a server still writes by itself when it has started would change the version of every list. */
async function isQuiet(): Promise<boolean> {
  const { body } = await plane.admin.request('GET', '/apis/flowcontrol.apiserver.platform.io/v1beta2/flowschemas');
  return body.items.every(({ status }) => isObject(status) && Array.isArray(status.conditions));
}

beforeAll(async () => {
  plane = await startTestServer({ runtime, historyRetention: RETENTION_MS, controllers: ['-*'] });
  await insist(async () => expect(await isQuiet()).toBe(true));
  http2 = http2Client(plane.connection);
  versions.gone = await create('a');
  await create('b');
  await create('c');
  runtime.advance(2 * RETENTION_MS);
  versions.old = (await plane.admin.request('GET', PATH)).body.metadata.resourceVersion;
  token = (await plane.admin.request('GET', `${PATH}?limit=1`)).body.metadata.continue ?? '';
  await write('DELETE', `${PATH}/b`);
  versions.new = await create('d');
  versions.future = String(Number(versions.new) + 1_000_000);
});

afterAll(async () => {
  http2.close();
  await plane.close();
});

const MATCHES = ['', 'Exact', 'NotOlderThan', 'Roughly'] as const;
const VERSIONS = ['', '0', 'gone', 'old', 'new', 'future', 'abc'] as const;
const PAGINGS = ['', 'limit', 'continue'] as const;

interface Combination {
  readonly match: (typeof MATCHES)[number];
  readonly version: (typeof VERSIONS)[number];
  readonly paging: (typeof PAGINGS)[number];
}

const COMBINATIONS: readonly Combination[] = MATCHES.flatMap((match) =>
  VERSIONS.flatMap((version) => PAGINGS.map((paging) => ({ match, version, paging }))),
);

/** What must come of it: a code of refusal, or the state that is answered. */
function expected({ match, version, paging }: Combination): number | 'now' | 'old' | 'rest of the token' {
  const unversioned = version === '' || version === '0';
  if (match !== '') {
    if (match === 'Roughly' || paging === 'continue' || version === '') return 422;
    if (match === 'Exact' && version === '0') return 422;
  }
  if (paging === 'continue') return unversioned ? 'rest of the token' : 400;
  if (version === 'abc') return 400;
  if (version === 'future') return 504;
  const exact = match === 'Exact' || (match === '' && paging === 'limit');
  if (!exact || unversioned) return 'now';
  if (version === 'gone') return 410;
  return version === 'old' ? 'old' : 'now';
}

function queryOf({ match, version, paging }: Combination): string {
  const query = new URLSearchParams();
  if (match !== '') query.set('resourceVersionMatch', match);
  if (version !== '') query.set('resourceVersion', revisionOf(version));
  if (paging !== '') query.set('limit', '100');
  if (paging === 'continue') query.set('continue', token);
  return query.toString();
}

/** The names of our own objects in a state. */
const STATES = { now: ['a', 'c', 'd'], old: ['a', 'b', 'c'], 'rest of the token': ['b', 'c'] };

/** Waiting for a version that does not come is cut short. */
async function ask(client: Client, target: string, waits: boolean): Promise<Answer> {
  const answer = client.request('GET', target);
  if (waits) {
    const ended = answer.then(() => true);
    while (!(await Promise.race([ended, new Promise<false>((resolve) => setTimeout(resolve, 20, false))])))
      runtime.advance(1_000);
  }
  return answer;
}

describe('a list', () => {
  it.each(COMBINATIONS.map((combination) => [expected(combination), combination] as const))(
    'gives %s for %o',
    async (outcome, combination) => {
      for (const client of [plane.admin, http2]) {
        const { status, body, headers } = await ask(client, `${PATH}?${queryOf(combination)}`, outcome === 504);
        if (typeof outcome === 'number') {
          expect(status, body.message).toBe(outcome);
          expect(body).toMatchObject({ kind: 'Status', code: outcome });
          if (outcome === 504) expect(headers['retry-after']).toBe('1');
          continue;
        }
        expect(status).toBe(200);
        const names = body.items.filter(({ metadata }) => metadata.labels?.own).map(({ metadata }) => metadata.name);
        expect(names).toEqual(STATES[outcome]);
        expect(body.metadata.resourceVersion).toBe(outcome === 'now' ? versions.new : versions.old);
        expect(body.metadata.continue).toBe('');
        expect(body.metadata.remainingItemCount).toBeUndefined();
      }
    },
  );

  it('is refused with every reason that there is', async () => {
    const { body } = await plane.admin.request('GET', `${PATH}?resourceVersionMatch=Roughly&continue=${token}`);
    expect(body).toMatchObject({ reason: 'Invalid', details: { kind: 'ListOptions' } });
    expect(body.details?.causes).toHaveLength(3);
  });

  it('is not begun with what only a watch can begin with', async () => {
    const { status } = await plane.admin.request('GET', `${PATH}?sendInitialEvents=true`);
    expect(status).toBe(422);
  });

  it('from the future says so in a way that clients know', async () => {
    const { body } = await ask(plane.admin, `${PATH}?resourceVersion=${versions.future}`, true);
    expect(body).toMatchObject({
      reason: 'Timeout',
      message: expect.stringContaining('Too large resource version'),
      details: { retryAfterSeconds: 1, causes: [{ reason: 'ResourceVersionTooLarge' }] },
    });
  });

  it('waits for a version that is about to come', async () => {
    const next = String(Number(versions.new) + 1);
    const waiting = plane.admin.request('GET', `${PATH}?resourceVersion=${next}&resourceVersionMatch=Exact`);
    expect(await create('e')).toBe(next);
    const { status, body } = await waiting;
    expect(status).toBe(200);
    expect(body.metadata.resourceVersion).toBe(next);
    await write('DELETE', `${PATH}/e`);
    versions.new = (await plane.admin.request('GET', PATH)).body.metadata.resourceVersion;
  });
});

describe('how many items remain', () => {
  const page = async (query: string) => (await plane.admin.request('GET', `${PATH}?${query}`)).body.metadata;

  it('is told on every page but the last, also as of an older version and after a change', async () => {
    const all = (await plane.admin.request('GET', PATH)).body.items.length;
    for (const version of ['', `&resourceVersion=${versions.old}`]) {
      let at = await page(`limit=1${version}`);
      for (let seen = 1; seen < all; seen++) {
        expect(at.remainingItemCount).toBe(all - seen);
        await write('PATCH', `${PATH}/d`, { data: { seen: `${version} ${seen}` } });
        at = await page(`limit=1&continue=${at.continue}`);
      }
      expect(at).toMatchObject({ continue: '' });
      expect(at.remainingItemCount).toBeUndefined();
    }
  });

  it('is not told where a selector selects', async () => {
    const at = await page(`limit=1&${OWN}`);
    expect(at.continue).not.toBe('');
    expect(at.remainingItemCount).toBeUndefined();
    const next = await page(`limit=1&${OWN}&continue=${at.continue}`);
    expect(next.remainingItemCount).toBeUndefined();
  });

  it('counts one namespace, or all', async () => {
    const total = (await plane.admin.request('GET', '/api/v1/configmaps')).body.items.length;
    const { body } = await plane.admin.request('GET', '/api/v1/configmaps?limit=1');
    expect(body.metadata.remainingItemCount).toBe(total - 1);
  });
});

describe('a single object', () => {
  it.each([
    ['', 200],
    ['0', 200],
    ['gone', 200],
    ['new', 200],
    ['future', 504],
    ['abc', 400],
  ] as const)('read with the version "%s" gives %s', async (version, code) => {
    const target = `${PATH}/a?resourceVersion=${revisionOf(version)}`;
    const { status } = await ask(plane.admin, target, code === 504);
    expect(status).toBe(code);
  });
});
