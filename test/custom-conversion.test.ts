import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { TestAuthority } from './support/certificates.ts';
import type { Answer } from './support/client.ts';
import { customObject, define, definition, version } from './support/definitions.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** Custom objects that a web server converts, over real HTTPS: `spec.name` in v1 is `spec.title` in v2. */

const GROUP = 'books.example.com';
const TEXT = { type: 'string' };

interface Shown {
  apiVersion: string;
  kind: string;
  metadata: Record<string, unknown>;
  spec?: { name?: string; title?: string };
}

interface Review {
  apiVersion: string;
  kind: string;
  request: { uid: string; desiredAPIVersion: string; objects: Shown[] };
}

type Reply = (review: Review, response: ServerResponse) => void;

const send = (response: ServerResponse, answer: unknown): void => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
};

function converted(object: Shown, apiVersion: string): Shown {
  const { name, title, ...rest } = object.spec ?? {};
  const text = name ?? title;
  const spec = { ...rest, ...(text === undefined ? {} : { [apiVersion.endsWith('v2') ? 'title' : 'name']: text }) };
  return { ...object, apiVersion, spec };
}

/** The answer of a webhook that does as it should, with something else in its place. */
const answerTo = ({ apiVersion, kind, request }: Review, more: object = {}): object => ({
  apiVersion,
  kind,
  response: {
    uid: request.uid,
    result: { status: 'Success' },
    convertedObjects: request.objects.map((object) => converted(object, request.desiredAPIVersion)),
    ...more,
  },
});

const converting: Reply = (review, response) => send(response, answerTo(review));

/** With something done to every object. */
const spoiling =
  (spoil: (object: Shown) => unknown): Reply =>
  (review, response) => {
    const { objects, desiredAPIVersion } = review.request;
    const convertedObjects = objects.map((object) => spoil(converted(object, desiredAPIVersion)));
    send(response, answerTo(review, { convertedObjects }));
  };

let plane: TestServer;
let reply: Reply = converting;
let reviews: Review[] = [];
let hook: ReturnType<typeof createServer>;

async function readReview(request: IncomingMessage): Promise<Review> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString());
}

beforeAll(async () => {
  plane = await startTestServer();
  const authority = new TestAuthority('converters');
  hook = createServer(authority.server(), async (request, response) => {
    const review = await readReview(request);
    reviews.push(review);
    reply(review, response);
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(hook.address() as AddressInfo).port}/convert`;
  const clientConfig = { url, caBundle: Buffer.from(authority.pem).toString('base64') };
  const versions = [version('v2', { title: TEXT }), version('v1', { name: TEXT }, { storage: true })];
  for (const [plural, reviewVersion] of [
    ['books', 'v1'],
    ['papers', 'v1beta1'],
  ] as const) {
    const webhook = { clientConfig, conversionReviewVersions: ['v9', reviewVersion] };
    await define(
      plane.admin,
      definition(plural, GROUP, versions, { conversion: { strategy: 'Webhook', webhook } }),
      pathOf('v2', plural),
    );
  }
});

afterAll(async () => {
  hook.closeAllConnections();
  await new Promise((resolve) => hook.close(resolve));
  await plane.close();
});

beforeEach(() => {
  reply = converting;
  reviews = [];
});

const pathOf = (name: string, plural = 'books'): string => `/apis/${GROUP}/${name}/namespaces/default/${plural}`;
const ask = (method: string, path: string, body?: unknown): Promise<Answer> => plane.admin.request(method, path, body);

async function store(name: string, labels: object = {}): Promise<void> {
  const made = await ask(
    'POST',
    pathOf('v1'),
    customObject(pathOf('v1'), { metadata: { name, labels }, spec: { name } }),
  );
  expect(made.status, made.text).toBe(201);
  onTestFinished(async () => {
    await ask('DELETE', `${pathOf('v1')}/${name}`);
  });
}

it('asks in the version of reviews that both know', async () => {
  const made = await ask(
    'POST',
    pathOf('v2', 'papers'),
    customObject(pathOf('v2', 'papers'), { metadata: { name: 'one' }, spec: { title: 't' } }),
  );
  expect([made.status, made.body.spec]).toEqual([201, { title: 't' }]);
  expect(new Set(reviews.map(({ apiVersion }) => apiVersion))).toEqual(new Set(['apiextensions.platform.io/v1beta1']));
});

it('converts a list with one question', async () => {
  for (const name of ['a', 'b', 'c']) await store(name);
  const { body } = await ask('GET', pathOf('v2'));
  expect(body.items.map(({ apiVersion, spec }) => [apiVersion, spec.title])).toEqual(
    ['a', 'b', 'c'].map((name) => [`${GROUP}/v2`, name]),
  );
  expect(reviews.map(({ request }) => request.objects.length)).toEqual([3]);
});

it('takes labels and annotations of an answer, and no other metadata', async () => {
  await store('one', { mine: 'kept' });
  reply = spoiling((object) => ({
    ...object,
    metadata: { ...object.metadata, labels: { other: 'x' }, finalizers: ['a/b'], generation: 77 },
  }));
  const { metadata } = (await ask('GET', `${pathOf('v2')}/one`)).body;
  expect(metadata).toMatchObject({ labels: { other: 'x' }, generation: 1 });
  expect(metadata).not.toHaveProperty('finalizers');
});

it('selects by the labels of the version that is asked for', async () => {
  await store('one', { in: 'v1' });
  reply = spoiling((object) => ({ ...object, metadata: { ...object.metadata, labels: { in: 'v2' } } }));
  const found = async (name: string, label: string): Promise<string[]> => {
    const { body } = await ask('GET', `${pathOf(name)}?labelSelector=in%3D${label}`);
    return body.items.map(({ metadata }) => metadata.name);
  };
  expect([await found('v1', 'v1'), await found('v1', 'v2')]).toEqual([['one'], []]);
  expect([await found('v2', 'v1'), await found('v2', 'v2')]).toEqual([[], ['one']]);
});

it('selects in watches by the labels of the version that is watched', async () => {
  await store('one', { in: 'v1' });
  const moods: Record<string, string> = { one: 'calm' };
  reply = spoiling((object) => ({
    ...object,
    metadata: { ...object.metadata, labels: { mood: moods[object.spec?.title ?? ''] ?? 'wild' } },
  }));
  const watch = await plane.watch(`${pathOf('v2')}?watch=1&labelSelector=mood%3Dcalm`);
  onTestFinished(() => watch.close());
  const seen = async (): Promise<string> => {
    const { type, object } = await watch.next();
    return `${type} ${object.apiVersion} ${object.spec.title} ${object.metadata.labels?.mood}`;
  };
  const rename = (name: string): Promise<Answer> => ask('PATCH', `${pathOf('v1')}/one`, { spec: { name } });
  expect(await seen()).toBe(`ADDED ${GROUP}/v2 one calm`);
  await rename('two');
  expect(await seen()).toBe(`DELETED ${GROUP}/v2 one calm`);
  await rename('three');
  moods.four = 'calm';
  await rename('four');
  expect(await seen()).toBe(`ADDED ${GROUP}/v2 four calm`);
  await ask('DELETE', `${pathOf('v1')}/one`);
  expect(await seen()).toBe(`DELETED ${GROUP}/v2 four calm`);
});

it('converts nothing for those who select others by name', async () => {
  const watch = await plane.watch(`${pathOf('v2')}?watch=1&fieldSelector=metadata.name%3Dmine`);
  onTestFinished(() => watch.close());
  await store('other');
  await store('mine');
  expect((await watch.next()).object.spec).toEqual({ title: 'mine' });
  await ask('GET', `${pathOf('v2')}?fieldSelector=metadata.name%3Dmine`);
  const asked = reviews.flatMap(({ request }) => request.objects.map(({ metadata }) => metadata.name));
  expect(new Set(asked)).toEqual(new Set(['mine']));
});

describe('an answer that cannot be right', () => {
  const kind = `conversion webhook for ${GROUP}/v1, Kind=Book`;
  it.each<readonly [what: string, reply: Reply, message: string]>([
    ['garbage', (_, response) => void response.end('<html>'), 'failed: the answer is not JSON'],
    ['a failure', (_, response) => void response.writeHead(503).end(), 'failed: the server answered 503'],
    ['nothing', (_, response) => void response.destroy(), 'failed: Post "'],
    ['a text', (_, response) => send(response, 'done'), 'failed: the answer is no object'],
    [
      'another kind',
      (review, response) => send(response, { ...answerTo(review), kind: 'X' }),
      'got apiextensions.platform.io/v1, Kind=X',
    ],
    [
      'no response',
      ({ apiVersion, kind: own }, response) => send(response, { apiVersion, kind: own }),
      'failed: no response provided',
    ],
    [
      'another uid',
      (review, response) => send(response, answerTo(review, { uid: 'x' })),
      'failed: expected response.uid=',
    ],
    ['no result', (review, response) => send(response, answerTo(review, { result: undefined })), "not 'Success'"],
    [
      'half of the objects',
      (review, response) => send(response, answerTo(review, { convertedObjects: [] })),
      'returned 0 objects, expected 1',
    ],
    ['no object', spoiling(() => 7), 'returned invalid converted object at index 0: no object'],
    [
      'another version',
      spoiling((object) => ({ ...object, apiVersion: `${GROUP}/v3` })),
      `invalid groupVersion (expected ${GROUP}/v2, received ${GROUP}/v3)`,
    ],
    [
      'an object of another kind',
      spoiling((object) => ({ ...object, kind: 'Film' })),
      'invalid kind (expected Book, received Film)',
    ],
    [
      'another object',
      spoiling((object) => ({ ...object, metadata: { ...object.metadata, name: 'x' } })),
      'must have the same name: one != x',
    ],
    [
      'another uid of the object',
      spoiling((object) => ({ ...object, metadata: { ...object.metadata, uid: 'x' } })),
      'must have the same uid: ',
    ],
    [
      'labels that are none',
      spoiling((object) => ({ ...object, metadata: { ...object.metadata, labels: { a: 1 } } })),
      'invalid metadata.labels: a is no text',
    ],
  ])('is an internal error that says what is wrong with it: %s', async (_what, spoiled, message) => {
    await store('one');
    reply = spoiled;
    const read = await ask('GET', `${pathOf('v2')}/one`);
    expect([read.status, read.body.reason]).toEqual([500, 'InternalError']);
    expect(read.body.message).toContain(message);
    expect(read.body.message).toContain(kind);
    const write = await ask(
      'POST',
      pathOf('v2'),
      customObject(pathOf('v2'), { metadata: { name: 'two' }, spec: { title: 't' } }),
    );
    expect(write.status).toBe(500);
    expect((await ask('GET', `${pathOf('v1')}/two`)).status).toBe(404);
    expect((await ask('GET', `${pathOf('v1')}/one`)).status).toBe(200);
  });
});

it('an answer that never comes is given up with the request, while others are answered', async () => {
  await store('one');
  let waiting = 0;
  reply = () => {
    waiting++;
  };
  const read = ask('GET', `${pathOf('v2')}/one?timeout=500ms`);
  const write = ask(
    'POST',
    `${pathOf('v2')}?timeout=500ms`,
    customObject(pathOf('v2'), { metadata: { name: 'two' }, spec: { title: 't' } }),
  );
  expect((await ask('GET', `${pathOf('v1')}/one`)).status).toBe(200);
  expect([await read, await write].map(({ status, body }) => `${status} ${body.reason}`)).toEqual([
    '504 Timeout',
    '504 Timeout',
  ]);
  expect(waiting).toBe(2);
  expect((await ask('GET', `${pathOf('v1')}/two`)).status).toBe(404);
});

it('shows who applied what across versions', async () => {
  const apply = (name: string, manager: string, spec: object): Promise<Answer> =>
    plane.admin.request(
      'PATCH',
      `${pathOf(name)}/shared?fieldManager=${manager}`,
      JSON.stringify({ apiVersion: `${GROUP}/${name}`, kind: 'Book', metadata: { name: 'shared' }, spec }),
      { 'content-type': 'application/apply-patch+yaml' },
    );
  expect((await apply('v2', 'one', { title: 'a' })).status).toBe(201);
  const conflict = await apply('v1', 'two', { name: 'b' });
  expect([conflict.status, conflict.body.message]).toEqual([409, expect.stringContaining('.spec.title')]);
  const moved = await apply('v1', 'one', {});
  expect([moved.status, moved.body.spec ?? {}]).toEqual([200, {}]);
});

it('shows admission webhooks the version that they know, and takes back what they change in it', async () => {
  const asked: string[] = [];
  const authority = new TestAuthority('admission');
  const admission = createServer(authority.server(), async (request, response) => {
    const {
      apiVersion,
      kind,
      request: question,
    } = (await readReview(request)) as unknown as {
      apiVersion: string;
      kind: string;
      request: { uid: string; object: Shown };
    };
    asked.push(`${question.object.apiVersion} ${question.object.spec?.title}`);
    const operations = [{ op: 'replace', path: '/spec/title', value: 'changed' }];
    const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
    send(response, { apiVersion, kind, response: { uid: question.uid, allowed: true, patchType: 'JSONPatch', patch } });
  });
  await new Promise<void>((resolve) => admission.listen(0, '127.0.0.1', resolve));
  const configurations = '/apis/admissionregistration.platform.io/v1/mutatingwebhookconfigurations';
  onTestFinished(async () => {
    await ask('DELETE', `${configurations}/titles`);
    admission.closeAllConnections();
    await new Promise((resolve) => admission.close(resolve));
  });
  const url = `https://127.0.0.1:${(admission.address() as AddressInfo).port}/`;
  const configured = await ask('POST', configurations, {
    metadata: { name: 'titles' },
    webhooks: [
      {
        name: 'titles.example.com',
        rules: [{ apiGroups: [GROUP], apiVersions: ['v2'], resources: ['books'], operations: ['CREATE'] }],
        clientConfig: { url, caBundle: Buffer.from(authority.pem).toString('base64') },
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
      },
    ],
  });
  expect(configured.status, configured.text).toBe(201);
  const made = await ask(
    'POST',
    pathOf('v1'),
    customObject(pathOf('v1'), { metadata: { name: 'seen' }, spec: { name: 'mine' } }),
  );
  expect([made.status, made.body.spec], made.text).toEqual([201, { name: 'changed' }]);
  expect(asked).toEqual([`${GROUP}/v2 mine`]);
});
