import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './support/client.ts';
import { customObject, DEFINITIONS, define, definition, version } from './support/definitions.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** Custom objects that were right when they were written, and are wrong by the schema of today. */

const LIONS = '/apis/zoo.example/v1/namespaces/default/lions';
const INTEGER = { type: 'integer' };
const LEAST_OF_TODAY = {
  age: { ...INTEGER, minimum: 5 },
  name: { type: 'string', 'x-platform-validations': [{ rule: "self.startsWith('l')", message: 'begins with l' }] },
  weight: { ...INTEGER, 'x-platform-validations': [{ rule: 'self > oldSelf', message: 'grows' }] },
  size: INTEGER,
};

let plane: TestServer;

async function startWith(featureGates: string[]): Promise<void> {
  plane = await startTestServer({ featureGates });
  const before = version('v1', { age: INTEGER, name: { type: 'string' }, weight: INTEGER, size: INTEGER });
  await define(plane.admin, definition('lions', 'zoo.example', [before]), LIONS);
  const spec = { age: 3, name: 'simba', size: 1 };
  const made = await plane.admin.request('POST', LIONS, customObject(LIONS, { metadata: { name: 'leo' }, spec }));
  expect(made.status, made.text).toBe(201);
  const patch = [
    {
      op: 'replace',
      path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties',
      value: LEAST_OF_TODAY,
    },
  ];
  const changed = await send(`${DEFINITIONS}/lions.zoo.example`, patch, 'application/json-patch+json');
  expect(changed.status, changed.text).toBe(200);
}

const send = (path: string, body: unknown, mediaType: string): Promise<Answer> =>
  plane.admin.request('PATCH', path, body, { 'content-type': mediaType });

const patchSpec = (spec: object): Promise<Answer> => send(`${LIONS}/leo`, { spec }, 'application/merge-patch+json');

const messagesOf = ({ body }: Answer): string[] =>
  (body.details as { causes: { field: string }[] }).causes.map(({ field }) => field);

describe('with ratcheting', () => {
  beforeAll(() => startWith(['CRDValidationRatcheting=true']));
  afterAll(() => plane.close());

  it('what an update leaves alone may stay wrong', async () => {
    const { status, text } = await patchSpec({ size: 2 });
    expect(status, text).toBe(200);
  });

  it('what an update changes has to be right', async () => {
    const changed = await patchSpec({ age: 4, name: 'mufasa' });
    expect(changed.status).toBe(422);
    expect(messagesOf(changed)).toEqual(['spec.age', 'spec.name']);
  });

  it('rules about a change are asked all the same', async () => {
    const { status, text } = await patchSpec({ weight: 7 });
    expect(status, text).toBe(200);
    const changed = await patchSpec({ size: 3 });
    expect(changed.status).toBe(422);
    expect(messagesOf(changed)).toEqual(['spec.weight']);
  });
});

describe('without it', () => {
  beforeAll(() => startWith([]));
  afterAll(() => plane.close());

  it('every part has to be right', async () => {
    const changed = await patchSpec({ size: 2 });
    expect(changed.status).toBe(422);
    expect(messagesOf(changed)).toEqual(['spec.age', 'spec.name']);
  });
});
