import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** Rules of definitions, through the front door. */

const DEFINITIONS = '/apis/apiextensions.platform.io/v1/customresourcedefinitions';
const RULES = 'spec.validation.openAPIV3Schema.properties[spec].x-platform-validations';

const definition = (plural: string, rules: readonly object[]): object => ({
  apiVersion: 'apiextensions.platform.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.zoo.example` },
  spec: {
    group: 'zoo.example',
    scope: 'Namespaced',
    names: { plural, kind: plural },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { a: { type: 'integer' } }, 'x-platform-validations': rules },
            },
          },
        },
      },
    ],
  },
});

describe('a definition', () => {
  let zoo: TestServer;
  beforeAll(async () => {
    zoo = await startTestServer();
  });
  afterAll(() => zoo.close());

  const create = (plural: string, ...rules: readonly object[]) =>
    zoo.admin.request('POST', DEFINITIONS, definition(plural, rules));
  const isStored = async (plural: string) =>
    (await zoo.admin.request('GET', `${DEFINITIONS}/${plural}.zoo.example`)).status === 200;

  it('with rules that compile is stored, newer fields included', async () => {
    const rule = { rule: 'self.a > oldSelf.a', messageExpression: "'was ' + string(oldSelf.a)", fieldPath: '.a' };
    const { status, body } = await create('lions', rule);
    expect(status).toBe(201);
    expect(JSON.stringify(body)).toContain(JSON.stringify(rule.messageExpression));
  });

  it('with a rule that does not compile is refused at its field', async () => {
    const { status, body } = await create('bears', { rule: 'self.b > 1' });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      details: { causes: [{ reason: 'FieldValueInvalid', field: `${RULES}[0].rule` }] },
    });
    expect(await isStored('bears')).toBe(false);
  });

  it('with a rule of 100 KB is refused at its field', async () => {
    const { status, body } = await create('seals', { rule: `self.a == 1${' || self.a == 2'.repeat(7_000)}` });
    expect(status).toBe(422);
    expect(body).toMatchObject({ details: { causes: [{ reason: 'FieldValueTooLong', field: `${RULES}[0].rule` }] } });
  });

  it('with very many rules lets others be answered meanwhile', async () => {
    const rules = Array.from({ length: 25 }, (_, at) => ({ rule: `self.a != ${at}${' && self.a != 1'.repeat(650)}` }));
    let isOver = false;
    const created = create('wolves', ...rules).finally(() => {
      isOver = true;
    });
    let answered = 0;
    while (!isOver) {
      expect((await zoo.admin.request('GET', '/version')).status).toBe(200);
      answered++;
    }
    expect((await created).status).toBe(201);
    expect(answered).toBeGreaterThan(5);
  });
});
