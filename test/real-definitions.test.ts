import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Answer, Headers } from './support/client.ts';
import { DEFINITIONS, define } from './support/definitions.ts';
import { certificateIssuer } from './support/real-definitions/certificate-issuer.ts';
import { databaseCluster } from './support/real-definitions/database-cluster.ts';
import { gatewayRoute } from './support/real-definitions/gateway-route.ts';
import { ROUTE_RULES, type RouteRule } from './support/real-definitions/gateway-route-rules.ts';
import { gitopsApplication } from './support/real-definitions/gitops-application.ts';
import {
  definitionOf,
  objectOf,
  pathOf,
  type RealDefinition,
  type Refusal,
  valueAt,
} from './support/real-definitions/real-definition.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** Definitions in the size and shape of those in the field: served, validated, applied. */

const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.platform.io' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer();
});

afterAll(() => plane.close());

const send = (method: string, path: string, body?: unknown, headers?: Headers): Promise<Answer> =>
  plane.admin.request(method, path, body, headers);

async function succeed(method: string, path: string, body?: unknown, headers?: Headers): Promise<Answer['body']> {
  const answer = await send(method, path, body, headers);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
}

/** The messages of the causes of a refusal, by their field. */
function causesOf({ status, body, text }: Answer): Record<string, string[]> {
  expect(status, text).toBe(422);
  const { causes } = body.details as { causes: { field: string; message: string }[] };
  const found: Record<string, string[]> = {};
  for (const { field, message } of causes) found[field] = [...(found[field] ?? []), message];
  return found;
}

const endingIn = (end: string): unknown =>
  expect.stringMatching(new RegExp(`${end.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`));

const endings = (causes: Refusal['causes']): object =>
  Object.fromEntries(Object.entries(causes).map(([field, ends]) => [field, [ends].flat().map(endingIn)]));

describe.each([certificateIssuer, gitopsApplication, gatewayRoute, databaseCluster])(
  '$title',
  (real: RealDefinition) => {
    const { shared } = real;
    const path = pathOf(real);

    beforeAll(() => define(plane.admin, definitionOf(real), path));

    it('is in discovery, and its definition has every condition that is asked for', async () => {
      const resources = valueAt(await succeed('GET', `/apis/${real.group}/v1`), 'resources');
      expect(resources).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: real.plural, kind: real.kind, shortNames: real.shortNames }),
          expect.objectContaining({ name: `${real.plural}/status`, kind: real.kind }),
        ]),
      );
      const { status } = await succeed('GET', `${DEFINITIONS}/${real.plural}.${real.group}`);
      expect(valueAt(status, 'conditions')).toEqual([
        expect.objectContaining({ type: 'NamesAccepted', status: 'True' }),
        expect.objectContaining({ type: 'Established', status: 'True' }),
      ]);
    });

    it('has its whole schema in the OpenAPI document of its group', async () => {
      const document = await succeed('GET', `/openapi/v3/apis/${real.group}/v1`);
      const reversed = real.group.split('.').reverse().join('.');
      const schemas = valueAt(document, 'components') as { schemas: Record<string, unknown> };
      const { spec, status } = real.schema.properties as { spec: object; status: object };
      expect(schemas.schemas[`${reversed}.v1.${real.kind}`]).toMatchObject({
        type: 'object',
        properties: { spec, status },
        'x-platform-group-version-kind': [{ group: real.group, version: 'v1', kind: real.kind }],
      });
    });

    it('has objects that are made with defaults, replaced, and listed as a table', async () => {
      const made = await succeed('POST', `${path}?fieldValidation=Strict`, objectOf(real, 'one'));
      for (const [place, value] of Object.entries(real.defaults)) expect(valueAt(made, place), place).toEqual(value);
      expect(made).toMatchObject(real.valid);

      const reported = await succeed('PATCH', `${path}/one/status`, { status: real.status, spec: null });
      expect(reported).toMatchObject({ spec: made.spec, status: real.status, metadata: { generation: 1 } });
      const table = await succeed('GET', `${path}?fieldSelector=metadata.name%3Done`, undefined, TABLE);
      expect(valueAt(table, 'columnDefinitions')).toMatchObject([
        { name: 'Name', type: 'string' },
        ...real.columns.map((column) => ({ name: valueAt(column, 'name'), type: valueAt(column, 'type') })),
      ]);
      const cells = valueAt(table, 'rows.0.cells') as unknown[];
      expect(cells.slice(0, real.cells.length + 1)).toEqual(['one', ...real.cells]);

      const { resourceVersion } = made.metadata;
      const next = objectOf(real, 'one', real.update);
      const late = await send('PUT', `${path}/one`, { ...next, metadata: { name: 'one', resourceVersion } });
      expect(late.status).toBe(409);
      const current = { name: 'one', resourceVersion: reported.metadata.resourceVersion };
      const replaced = await succeed('PUT', `${path}/one`, { ...next, metadata: current });
      expect(replaced).toMatchObject({ status: real.status, metadata: { generation: 2 } });
      for (const [place, value] of Object.entries(real.update)) expect(valueAt(replaced, place), place).toEqual(value);
      expect(await succeed('GET', `${path}/one`)).toEqual(replaced);
    });

    it('has objects that two managers apply, each its own item', async () => {
      const apply = (manager: string, items: readonly object[], force = false): Promise<Answer> =>
        send(
          'PATCH',
          `${path}/two?fieldManager=${manager}&force=${force}`,
          objectOf(real, 'two', { [shared.at]: items }),
          APPLY,
        );
      const itemsOf = ({ status, text, body }: Answer): unknown => {
        expect(status, text).toBeLessThan(300);
        return valueAt(body, shared.at);
      };
      expect(itemsOf(await apply('ones', [shared.first]))).toMatchObject([shared.first]);
      const both = [shared.first, shared.second];
      const joined = await apply('others', [shared.second]);
      expect(itemsOf(joined)).toMatchObject(both);
      const again = await apply('ones', [shared.first]);
      expect(again.body.metadata).toEqual(joined.body.metadata);

      const refused = await apply('others', [shared.contested, shared.second]);
      expect(refused.status).toBe(409);
      expect(refused.body.message).toBe(`Apply failed with 1 conflict: conflict with "ones": ${shared.conflict}`);
      expect(itemsOf(await apply('others', [shared.contested, shared.second], true))).toMatchObject([
        shared.contested,
        shared.second,
      ]);
      expect(itemsOf(await apply('others', [shared.contested]))).toMatchObject([shared.contested]);
    });

    it('refuses what does not fit, at its field', async () => {
      expect(real.refused.length).toBeGreaterThan(4);
      for (const { changes, causes } of real.refused) {
        const refused = causesOf(await send('POST', path, objectOf(real, 'bad', changes)));
        expect(refused, JSON.stringify(changes)).toEqual(endings(causes));
      }
      expect((await send('GET', `${path}/bad`)).status).toBe(404);
    });

    it('leaves out what its schema does not name, and tells of it when asked to', async () => {
      const changes = Object.fromEntries(real.unknown.map((place) => [place, { any: 'thing' }]));
      const strict = await send('POST', `${path}?fieldValidation=Strict`, objectOf(real, 'more', changes));
      expect(strict.status).toBe(400);
      const named = real.unknown.map((place) => place.replace(/\.(\d+)/g, '[$1]'));
      for (const field of named) expect(strict.body.message).toContain(`unknown field "${field}"`);
      const kept = await send('POST', `${path}?fieldValidation=Warn`, objectOf(real, 'more', changes));
      expect(kept.status, kept.text).toBe(201);
      for (const field of named) expect(kept.headers.warning).toContain(`unknown field \\"${field}\\"`);
      for (const place of real.unknown) expect(valueAt(kept.body, place), place).toBeUndefined();
      expect(kept.body).toMatchObject(real.valid);
    });
  },
);

describe('the rules of a gateway route', () => {
  const path = pathOf(gatewayRoute);

  beforeAll(() => succeed('POST', path, objectOf(gatewayRoute, 'ruled')));

  it('are thirty, all in its schema', () => {
    expect(ROUTE_RULES).toHaveLength(30);
    const written = JSON.stringify(gatewayRoute.schema);
    for (const { rule } of ROUTE_RULES) expect(written).toContain(JSON.stringify(rule));
  });

  it.each(ROUTE_RULES)('are held against objects: $message', async ({ broken, field, message, reason }: RouteRule) => {
    const changed = objectOf(gatewayRoute, 'ruled', broken);
    const { resourceVersion } = (await succeed('GET', `${path}/ruled`)).metadata;
    const refused = await send('PUT', `${path}/ruled`, { ...changed, metadata: { name: 'ruled', resourceVersion } });
    expect(refused.status, refused.text).toBe(422);
    expect(refused.body.details?.causes).toEqual([
      {
        field,
        reason: reason ?? 'FieldValueInvalid',
        message: endingIn(`: ${message}`),
      },
    ]);
  });

  it('that compare with what was are for changes only', async () => {
    const other = await send('POST', path, objectOf(gatewayRoute, 'private', { 'spec.className': 'private' }));
    expect(other.status, other.text).toBe(201);
  });
});

describe('the definition of a database cluster', () => {
  it('has some 6,000 lines', () => {
    const lines = stringify(definitionOf(databaseCluster), { aliasDuplicateObjects: false }).split('\n').length;
    expect(lines).toBeGreaterThan(5_500);
    expect(lines).toBeLessThan(6_500);
  });

  it('bounds how an object changes, and only that', async () => {
    const path = pathOf(databaseCluster);
    await succeed('POST', path, objectOf(databaseCluster, 'shrinking', { 'spec.instances': 5 }));
    const refused = await send('PATCH', `${path}/shrinking`, { spec: { instances: 3 } });
    expect(causesOf(refused)).toEqual(endings({ spec: 'instances go one at a time' }));
    expect((await succeed('PATCH', `${path}/shrinking`, { spec: { instances: 4 } })).spec.instances).toBe(4);
  });
});
