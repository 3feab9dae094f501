import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer, Headers } from './support/client.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer();
});

afterAll(() => plane.close());

const MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

const JSON_TYPE: Headers = { 'content-type': 'application/json' };
const YAML_TYPE: Headers = { 'content-type': 'application/yaml' };
const MERGE_TYPE: Headers = { 'content-type': 'application/merge-patch+json' };
const STRATEGIC_TYPE: Headers = { 'content-type': 'application/strategic-merge-patch+json' };
const JSON_PATCH_TYPE: Headers = { 'content-type': 'application/json-patch+json' };
const APPLY_TYPE: Headers = { 'content-type': 'application/apply-patch+yaml' };

/** The texts of all warnings of an answer. */
function warningsOf({ headers }: Answer): string[] {
  const all = [...String(headers.warning ?? '').matchAll(/299 - "((?:\\.|[^"\\])*)"/g)];
  return all.map(([, text = '']) => text.replace(/\\(.)/g, '$1'));
}

const send = (method: string, path: string, body: unknown, headers: Headers): Promise<Answer> =>
  plane.admin.request(method, path, body, headers);

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'm', image: 'i' }] } };
const deployment = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };

/** A write with something odd about it, and what is to be told of it. */
interface Case {
  readonly says: string;
  readonly method: string;
  readonly path: string;
  readonly type: Headers;
  readonly body: string;
  readonly told: readonly string[];
}

const CASES: readonly Case[] = [
  {
    says: 'a JSON document',
    method: 'POST',
    path: MAPS,
    type: JSON_TYPE,
    body: '{"metadata":{"name":"new","nmae":"x","labels":{"a":"1"},"labels":{"b":"2"}},"data":{"k":"1","k":"2"},"dta":{}}',
    told: [
      'duplicate field "metadata.labels"',
      'duplicate field "data.k"',
      'unknown field "metadata.nmae"',
      'unknown field "dta"',
    ],
  },
  {
    says: 'a YAML document',
    method: 'POST',
    path: MAPS,
    type: YAML_TYPE,
    body: 'metadata:\n  name: new\n  labels: {a: "1"}\n  labels: {b: "2"}\ndta: {}\n',
    told: ['duplicate field "metadata.labels"', 'unknown field "dta"'],
  },
  {
    says: 'a document deep inside',
    method: 'POST',
    path: DEPLOYMENTS,
    type: JSON_TYPE,
    body: `{"metadata":{"name":"new"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},
      "spec":{"containers":[{"name":"m","image":"i"},{"name":"n","image":"i","image":"j","imagePolicy":"x"}]}}}}`,
    told: [
      'duplicate field "spec.template.spec.containers[1].image"',
      'unknown field "spec.template.spec.containers[1].imagePolicy"',
    ],
  },
  {
    says: 'a replacement',
    method: 'PUT',
    path: `${MAPS}/c`,
    type: JSON_TYPE,
    body: '{"metadata":{"name":"c"},"data":{"a":"1"},"data":{"b":"2"},"dta":{}}',
    told: ['duplicate field "data"', 'unknown field "dta"'],
  },
  {
    says: 'a replacement of the status',
    method: 'PUT',
    path: `${DEPLOYMENTS}/d/status`,
    type: JSON_TYPE,
    body: `${JSON.stringify(deployment).slice(0, -1)},"status":{"replicas":1,"replicas":2,"repliacs":3}}`,
    told: ['duplicate field "status.replicas"', 'unknown field "status.repliacs"'],
  },
  {
    says: 'a replacement of the scale',
    method: 'PUT',
    path: `${DEPLOYMENTS}/d/scale`,
    type: JSON_TYPE,
    body: '{"metadata":{"name":"d"},"spec":{"replicas":1,"replicas":2,"repliacs":3}}',
    told: ['duplicate field "spec.replicas"', 'unknown field "spec.repliacs"'],
  },
  {
    says: 'a merge patch',
    method: 'PATCH',
    path: `${MAPS}/c`,
    type: MERGE_TYPE,
    body: '{"data":{"a":"1","a":"2"},"metadata":{"lables":{}}}',
    told: ['duplicate field "data.a"', 'unknown field "metadata.lables"'],
  },
  {
    says: 'a merge patch of the scale',
    method: 'PATCH',
    path: `${DEPLOYMENTS}/d/scale`,
    type: MERGE_TYPE,
    body: '{"spec":{"replicas":1,"replicas":2,"repliacs":3}}',
    told: ['duplicate field "spec.replicas"', 'unknown field "spec.repliacs"'],
  },
  {
    says: 'a strategic patch',
    method: 'PATCH',
    path: `${DEPLOYMENTS}/d`,
    type: STRATEGIC_TYPE,
    body: '{"spec":{"template":{"spec":{"containers":[{"name":"m","image":"j","image":"k","imagePolicy":"x"}]}}}}',
    told: [
      'duplicate field "spec.template.spec.containers[0].image"',
      'unknown field "spec.template.spec.containers[0].imagePolicy"',
    ],
  },
  {
    says: 'a JSON patch',
    method: 'PATCH',
    path: `${MAPS}/c`,
    type: JSON_PATCH_TYPE,
    body: '[{"op":"add","path":"/dta","value":1,"note":"x"},{"op":"test","op":"add","path":"/data","value":{"z":"1","z":"2"}}]',
    told: [
      'json patch duplicate field "[1].op"',
      'json patch duplicate field "[1].value.z"',
      'json patch unknown field "[0].note"',
      'unknown field "dta"',
    ],
  },
  {
    says: 'an applied document',
    method: 'PATCH',
    path: `${MAPS}/c?fieldManager=one`,
    type: APPLY_TYPE,
    body: 'apiVersion: v1\nkind: ConfigMap\ndata: {a: "1", a: "2"}\n',
    told: ['duplicate field "data.a"'],
  },
  {
    says: 'an applied document in JSON',
    method: 'PATCH',
    path: `${MAPS}/new?fieldManager=one`,
    type: APPLY_TYPE,
    body: '{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"1","a":"2"}}',
    told: ['duplicate field "data.a"'],
  },
  {
    says: 'a review',
    method: 'POST',
    path: '/apis/authorization.platform.io/v1/selfsubjectaccessreviews',
    type: JSON_TYPE,
    body: '{"spec":{"resourceAttributes":{"verb":"get","verb":"list"},"atributes":{}}}',
    told: ['duplicate field "spec.resourceAttributes.verb"', 'unknown field "spec.atributes"'],
  },
];

const withLevel = (path: string, level: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}fieldValidation=${level}`;

describe('fields that should not be there', () => {
  beforeEach(async () => {
    await Promise.all([
      send('DELETE', `${MAPS}/new`, undefined, {}),
      send('DELETE', `${DEPLOYMENTS}/new`, undefined, {}),
      send('POST', MAPS, { metadata: { name: 'c' } }, {}),
      send('POST', DEPLOYMENTS, deployment, {}),
    ]);
  });

  it.each(CASES)('in $says are warned of', async ({ method, path, type, body, told }) => {
    const answer = await send(method, path, body, type);
    expect(answer.status, answer.text).toBeLessThan(300);
    expect(warningsOf(answer).sort()).toEqual([...told].sort());
    const asked = await send(method, withLevel(path, 'Warn'), body, type);
    if (asked.status < 300) expect(warningsOf(asked).sort()).toEqual([...told].sort());
  });

  it.each(CASES)('in $says are passed over when asked to', async ({ method, path, type, body }) => {
    const answer = await send(method, withLevel(path, 'Ignore'), body, type);
    expect(answer.status, answer.text).toBeLessThan(300);
    expect(warningsOf(answer)).toEqual([]);
  });

  it.each(CASES)(
    'in $says are refused when asked to, and nothing is written',
    async ({ method, path, type, body, told }) => {
      const before = await send('GET', path, undefined, {});
      const answer = await send(method, withLevel(path, 'Strict'), body, type);
      expect(answer.body).toMatchObject({ code: 400, reason: 'BadRequest' });
      for (const text of told) expect(answer.body.message).toContain(text);
      expect((await send('GET', path, undefined, {})).text).toBe(before.text);
    },
  );

  it.each(CASES)('in $says are told of also in a dry run', async ({ method, path, type, body, told }) => {
    const answer = await send(method, `${withLevel(path, 'Warn')}&dryRun=All`, body, type);
    expect(answer.status, answer.text).toBeLessThan(300);
    expect(warningsOf(answer).sort()).toEqual([...told].sort());
  });

  it('are told within bounds', async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`unknown-${at}`, 1]));
    const document = { metadata: { name: 'new' }, ...many, ['x'.repeat(100_000)]: 1 };
    const warned = await send('POST', MAPS, document, JSON_TYPE);
    expect(warned.status).toBe(201);
    expect(warningsOf(warned)).toHaveLength(50);
    const long = {
      metadata: { name: 'c' },
      ...Object.fromEntries(Object.keys(many).map((key) => [key.padEnd(300, 'y'), 1])),
    };
    const answer = await send('PUT', `${MAPS}/c`, long, JSON_TYPE);
    expect(warningsOf(answer).join('').length).toBeLessThanOrEqual(4096);
    const refused = await send('PUT', withLevel(`${MAPS}/c`, 'Strict'), long, JSON_TYPE);
    expect(refused.status).toBe(400);
    expect(refused.body.message.length).toBeLessThan(40_000);
    expect(refused.body.message).toContain('and more');
  });

  it('do not hide that others are of the wrong type', async () => {
    const answer = await send(
      'POST',
      withLevel(MAPS, 'Ignore'),
      '{"metadata":{"name":"new"},"data":{"a":1,"a":2}}',
      JSON_TYPE,
    );
    expect(answer.body).toMatchObject({ code: 400, reason: 'BadRequest' });
  });
});

describe('a repeated field', () => {
  it('of an object is merged with the first, as clients know it', async () => {
    const body = '{"metadata":{"name":"twice","labels":{"a":"1"},"labels":{"b":"2"}},"data":{"k":"1","k":"2"}}';
    const { body: made } = await send('POST', MAPS, body, JSON_TYPE);
    expect(made).toMatchObject({ metadata: { labels: { a: '1', b: '2' } }, data: { k: '2' } });
  });

  it('of a patch replaces the first', async () => {
    await send('POST', MAPS, { metadata: { name: 'patched' } }, JSON_TYPE);
    const patch = '{"metadata":{"labels":{"a":"1"},"labels":{"b":"2"}}}';
    const { body } = await send('PATCH', `${MAPS}/patched`, patch, MERGE_TYPE);
    expect(body.metadata.labels).toEqual({ b: '2' });
  });
});

describe('a number that would be changed', () => {
  const big = '9007199254740993';
  const deploymentText = JSON.stringify({ ...deployment, metadata: { name: 'big' } });

  it.each([
    ['a document', 'POST', DEPLOYMENTS, deploymentText.replace('"spec":{', `"spec":{"replicas":${big},`), JSON_TYPE],
    ['a YAML document', 'POST', DEPLOYMENTS, `metadata: {name: big}\nspec: {replicas: ${big}}\n`, YAML_TYPE],
    ['a replacement', 'PUT', `${DEPLOYMENTS}/d`, `{"metadata":{"name":"d","generation":${big}}}`, JSON_TYPE],
    ['a merge patch', 'PATCH', `${DEPLOYMENTS}/d`, `{"spec":{"replicas":${big}}}`, MERGE_TYPE],
    ['a strategic patch', 'PATCH', `${DEPLOYMENTS}/d`, `{"spec":{"replicas":${big}}}`, STRATEGIC_TYPE],
    [
      'a JSON patch',
      'PATCH',
      `${DEPLOYMENTS}/d`,
      `[{"op":"add","path":"/spec/replicas","value":${big}}]`,
      JSON_PATCH_TYPE,
    ],
    [
      'an applied document',
      'PATCH',
      `${DEPLOYMENTS}/d?fieldManager=a`,
      `apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: ${big}}`,
      APPLY_TYPE,
    ],
    ['options', 'DELETE', `${DEPLOYMENTS}/d`, `{"gracePeriodSeconds":${big}}`, JSON_TYPE],
  ])('in %s is refused', async (_says, method, path, body, type) => {
    const answer = await send(method, path, body, type);
    expect(answer.body).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(answer.body.message).toContain('is too large to be kept exactly');
  });

  it('is fine in a text', async () => {
    const { status, body } = await send('POST', MAPS, { metadata: { name: 'text' }, data: { n: big } }, JSON_TYPE);
    expect([status, body.data]).toEqual([201, { n: big }]);
  });
});
