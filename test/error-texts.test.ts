import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Headers } from './support/client.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** What people and tools read when a request is refused. */

const MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';
const PODS = '/api/v1/namespaces/default/pods';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };
let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer();
  await made(MAPS, { metadata: { name: 'c' }, data: { a: '1' } });
  await made(SECRETS, { metadata: { name: 's' }, data: { a: 'YQ==' }, type: 'Opaque', immutable: false });
  await made(PODS, { metadata: { name: 'p' }, spec: { containers: [{ name: 'main', image: 'i' }] } });
});

afterAll(() => plane.close());

async function made(path: string, body: object): Promise<void> {
  const { status, text } = await plane.admin.request('POST', path, body);
  expect(status, text).toBe(201);
}

async function refusal(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<string> {
  const { status, text, body: answer } = await plane.admin.request(method, path, body, headers);
  expect(status, text).toBeGreaterThanOrEqual(400);
  expect(status, text).toBeLessThan(500);
  return answer.message;
}

const UNRECOGNIZED =
  "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: ";

describe('a body that cannot be read', () => {
  it.each([
    ['{"metadata": {"name": "x"', `${UNRECOGNIZED}unexpected end of JSON input ({"metadata": {"name": "x")`],
    [
      '{"metadata": {"name": "x"}} and more than thirty characters',
      `${UNRECOGNIZED}invalid character 'a' after top-level value ({"metadata": {"name": "x"}} an ...)`,
    ],
    ['nonsense', `${UNRECOGNIZED}invalid character 'o' in literal null (expecting 'u') (6e6f6e73656e7365)`],
    [[], `${UNRECOGNIZED}json: cannot unmarshal array into Go value of type ConfigMap`],
    ['', `${UNRECOGNIZED}unexpected end of JSON input (<empty>)`],
    [
      { kind: 'Secret' },
      'Secret in version "v1" cannot be handled as a ConfigMap: the kind in the data (Secret) does not match the expected kind (ConfigMap)',
    ],
    [
      { apiVersion: 'v2' },
      'ConfigMap in version "v2" cannot be handled as a ConfigMap: the API version in the data (v2) does not match the expected API version (v1)',
    ],
    [
      { data: { a: 1 } },
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data.a of type string',
    ],
    [
      { metadata: { finalizers: 'a' } },
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal string into Go struct field ObjectMeta.metadata.finalizers of type []string',
    ],
  ])('%j: %s', async (body, message) => {
    expect(await refusal('POST', MAPS, body)).toBe(message);
  });

  it('tells the place of a wrong type inside of lists, and what it should be', async () => {
    const spec = {
      template: { spec: { containers: [{ name: 'a' }, { name: 'b', ports: [{ containerPort: 'x' }] }] } },
    };
    expect(await refusal('POST', DEPLOYMENTS, { spec })).toBe(
      'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field ' +
        'ContainerPort.spec.template.spec.containers[1].ports[0].containerPort of type int32',
    );
    const container = { name: 'a', resources: { limits: { cpu: 'lots' } } };
    expect(await refusal('POST', PODS, { metadata: { name: 'q' }, spec: { containers: [container] } })).toContain(
      'spec.containers[0].resources.limits.cpu: quantities must match the regular expression',
    );
  });

  it('says which fields nobody knows, when asked to be strict', async () => {
    expect(await refusal('POST', `${MAPS}?fieldValidation=Strict`, { dta: {} })).toBe(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dta"',
    );
  });
});

describe('a patch that does not work', () => {
  it.each([
    ['{"data":', MERGE, 'error decoding patch: unexpected end of JSON input'],
    ['revision: 5', MERGE, "error decoding patch: invalid character 'r' looking for beginning of value"],
    [
      { data: { a: 5 } },
      MERGE,
      ' "" is invalid: patch: Invalid value: "{\\"data\\":{\\"a\\":5}}": json: cannot unmarshal number into Go struct field ConfigMap.data.a of type string',
    ],
    [
      [{ op: 'add', path: '/metadata/labels', value: ['a'] }],
      JSON_PATCH,
      ' "" is invalid: patch: Invalid value: "[{\\"op\\":\\"add\\",\\"path\\":\\"/metadata/labels\\",\\"value\\":[\\"a\\"]}]": json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string',
    ],
  ])('%j', async (body, headers, message) => {
    expect(await refusal('PATCH', `${MAPS}/c`, body, headers)).toBe(message);
  });

  it('is not quoted without end', async () => {
    const message = await refusal('PATCH', `${MAPS}/c`, { data: { a: 5, b: 'x'.repeat(100_000) } }, MERGE);
    expect(message.length).toBeLessThan(2_000);
    expect(message).toMatch(/^ "" is invalid: patch: Invalid value: ".*… \(\d+ characters\): json: cannot unmarshal/);
  });

  it('may be an applied document with fields that the kind does not have', async () => {
    const document = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, nonsense: 1 };
    const path = `${MAPS}/c?fieldManager=me`;
    const start = 'failed to create typed patch object (/c; /v1, Kind=ConfigMap): ';
    expect(await refusal('PATCH', path, document, APPLY)).toBe(`${start}.nonsense: field not declared in schema`);
    expect(await refusal('PATCH', path, { ...document, more: 1 }, APPLY)).toBe(
      `${start}errors:\n  .nonsense: field not declared in schema\n  .more: field not declared in schema`,
    );
    expect(await refusal('PATCH', path, { ...document, apiVersion: 'v2' }, APPLY)).toBe(
      'Incorrect version specified in apply patch. Specified patch version: v2, expected: v1',
    );
  });
});

describe('a change that is not allowed', () => {
  it('of a pod is shown, as far as a message can', async () => {
    const change = { spec: { nodeName: 'n', restartPolicy: 'Never' } };
    expect((await refusal('PATCH', `${PODS}/p`, change, MERGE)).split('\n').slice(1)).toEqual([
      ...['- spec.restartPolicy: "Always"', '+ spec.restartPolicy: "Never"'],
      ...['- spec.nodeName: unset', '+ spec.nodeName: "n"'],
    ]);
  });

  it('names the one that is in the way, if it is leaving', async () => {
    const leaving = { metadata: { name: 'leaving', finalizers: ['example.com/f'] } };
    await made(MAPS, leaving);
    expect(await refusal('POST', MAPS, leaving)).toBe('configmaps "leaving" already exists');
    await plane.admin.request('DELETE', `${MAPS}/leaving`);
    expect(await refusal('POST', MAPS, leaving)).toBe('object is being deleted: configmaps "leaving" already exists');
  });

  it('quotes no value without end', async () => {
    const name = 'X'.repeat(50_000);
    expect((await refusal('POST', MAPS, { metadata: { name } })).length).toBeLessThan(5_000);
    const { body } = await plane.admin.request('POST', MAPS, { metadata: { labels: { a: name }, name: 'l' } });
    expect(JSON.stringify(body).length).toBeLessThan(10_000);
  });
});

describe('a secret', () => {
  const VALUE = 'hunter2';
  const secret = (rest: object): object => ({ metadata: { name: 'new' }, ...rest });

  it.each<[string, string, unknown, Headers]>([
    ['POST', SECRETS, secret({ data: { password: VALUE } }), {}],
    ['POST', SECRETS, secret({ data: VALUE }), {}],
    ['POST', SECRETS, secret({ stringData: { pin: [VALUE] } }), {}],
    ['POST', SECRETS, `{"stringData": {"p": "${VALUE}"`, {}],
    ['POST', SECRETS, `${VALUE}`, {}],
    ['POST', SECRETS, `{"a":"${VALUE}"}}`, {}],
    ['POST', SECRETS, secret({ immutable: VALUE }), {}],
    ['POST', SECRETS, `{"stringData": {"pin": 1234567890123456789012}}`, {}],
    [
      'POST',
      SECRETS,
      secret({ type: 'platform.io/dockerconfigjson', data: { '.dockerconfigjson': 'aHVudGVyMg==' } }),
      {},
    ],
    ['PATCH', `${SECRETS}/s`, { data: { a: VALUE } }, MERGE],
    ['PATCH', `${SECRETS}/s`, { stringData: { a: VALUE }, data: { b: 5 } }, MERGE],
    ['PATCH', `${SECRETS}/s`, [{ op: 'test', path: '/data/a', value: VALUE }], JSON_PATCH],
    ['PATCH', `${SECRETS}/s`, [{ op: 'add', path: '/data/a', value: { [VALUE]: VALUE } }], JSON_PATCH],
    ['PATCH', `${SECRETS}/s?fieldManager=m`, { apiVersion: 'v1', kind: 'Secret', data: { a: VALUE } }, APPLY],
  ])('is never quoted: %s %s %j', async (method, path, body, headers) => {
    const message = await refusal(method, path, body, headers);
    expect(message).not.toMatch(/hunter2|1234567890123456789012|aHVudGVyMg/);
    const { body: answer } = await plane.admin.request(method, path, body, headers);
    expect(JSON.stringify(answer.details ?? {})).not.toMatch(/hunter2/);
  });

  it('still says which name or type is wrong', async () => {
    expect(await refusal('POST', SECRETS, { metadata: { name: 'Bad_Name' } })).toContain('Invalid value: "Bad_Name"');
    expect(await refusal('PATCH', `${SECRETS}/s`, { type: 'other' }, MERGE)).toBe(
      'Secret "s" is invalid: type: Invalid value: "other": field is immutable',
    );
  });
});
