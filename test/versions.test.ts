import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './support/test-server.ts';

let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer();
});

afterAll(() => plane.close());

const TABLE = { accept: 'application/json;as=Table;g=meta.platform.io;v=v1' };
const METADATA = { accept: 'application/json;as=PartialObjectMetadata;g=meta.platform.io;v=v1' };

interface Table {
  readonly columnDefinitions: readonly { readonly name: string }[];
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: Record<string, unknown> }[];
}

const autoscalers = (version: string): string =>
  `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
const coreEvents = '/api/v1/namespaces/default/events';
const events = '/apis/events.platform.io/v1/namespaces/default/events';

const metric = (name: string, averageUtilization: number) => ({
  type: 'Resource',
  resource: { name, target: { type: 'Utilization', averageUtilization } },
});

beforeAll(async () => {
  const spec = {
    scaleTargetRef: { kind: 'Deployment', name: 'd' },
    maxReplicas: 5,
    metrics: [metric('cpu', 60), metric('memory', 70)],
  };
  const autoscaler = await plane.admin.request('POST', autoscalers('v2'), { metadata: { name: 'a' }, spec });
  expect(autoscaler.status, autoscaler.text).toBe(201);
  const event = await plane.admin.request('POST', coreEvents, {
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
    reason: 'Started',
    source: { component: 'starter' },
    type: 'Normal',
  });
  expect(event.status, event.text).toBe(201);
});

describe.each([
  ['an autoscaler', 'a', ['v1', 'v2', 'v2beta2'].map(autoscalers)],
  ['an event', 'e', [coreEvents, events]],
])('the table of %s', (_what, name, paths) => {
  const cellsOf = ({ columnDefinitions, rows }: Table) =>
    Object.fromEntries(columnDefinitions.map((column, at) => [column.name, rows[0]?.cells[at]]));
  /** Some time passes between two looks. */
  const ageless = (cells: object): object =>
    Object.fromEntries(Object.entries(cells).filter(([column]) => !/Age|Seen/.test(column)));

  it('is the same in every version, read, listed and watched', async () => {
    const tables = await Promise.all(
      paths.map(async (path) => {
        const read = JSON.parse((await plane.admin.request('GET', `${path}/${name}`, undefined, TABLE)).text);
        const listed = JSON.parse(
          (await plane.admin.request('GET', `${path}?fieldSelector=metadata.name=${name}`, undefined, TABLE)).text,
        );
        const watch = await plane.watch(`${path}?watch=1&fieldSelector=metadata.name=${name}`, TABLE);
        const { object } = await watch.next();
        watch.close();
        return [read, listed, object].map((table) => ageless(cellsOf(table as unknown as Table)));
      }),
    );
    const [first, ...others] = tables.flat();
    expect(Object.keys(first ?? {}).length).toBeGreaterThan(3);
    for (const table of others) expect(table).toEqual(first);
  });

  it('holds objects of the version that was asked for', async () => {
    for (const path of paths) {
      const { text } = await plane.admin.request('GET', `${path}/${name}?includeObject=Object`, undefined, TABLE);
      const plain = await plane.admin.request('GET', `${path}/${name}`);
      expect((JSON.parse(text) as Table).rows[0]?.object).toEqual(plain.body);
    }
  });
});

describe('an autoscaler', () => {
  it('shows in v1 what v1 can say, and keeps the rest in annotations', async () => {
    const { body } = await plane.admin.request('GET', `${autoscalers('v1')}/a`);
    expect(body.spec).toMatchObject({ targetCPUUtilizationPercentage: 60 });
    expect(body.metadata.annotations).toEqual({
      'autoscaling.alpha.platform.io/metrics':
        '[{"type":"Resource","resource":{"name":"memory","targetAverageUtilization":70}}]',
    });
  });

  it('is not changed by writing back what was read, in any version', async () => {
    const before = (await plane.admin.request('GET', `${autoscalers('v2')}/a`)).text;
    for (const version of ['v1', 'v2', 'v2beta2']) {
      const path = `${autoscalers(version)}/a`;
      const { body } = await plane.admin.request('GET', path);
      const written = await plane.admin.request('PUT', path, body);
      expect(written.status, written.text).toBe(200);
      expect(written.body.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
    }
    expect((await plane.admin.request('GET', `${autoscalers('v2')}/a`)).text).toBe(before);
  });

  it('has no annotations of its own where they are not needed', async () => {
    const { body } = await plane.admin.request('GET', `${autoscalers('v1')}/a`, undefined, METADATA);
    expect(body.metadata.annotations).toBeUndefined();
    const name = 'autoscaling.alpha.platform.io/metrics';
    const change = { metadata: { annotations: { [name]: '[]', mine: 'yes' } } };
    const changed = await plane.admin.request('PATCH', `${autoscalers('v2')}/a`, change);
    expect(changed.body.metadata.annotations).toEqual({ mine: 'yes' });
  });
});

describe('an event', () => {
  const selected = async (path: string, selector: string): Promise<string[]> =>
    (await plane.admin.request('GET', `${path}?fieldSelector=${selector}`)).body.items.map(
      ({ metadata }) => metadata.name,
    );

  it('is selected in each group by the names its fields have there', async () => {
    expect(await selected(coreEvents, 'involvedObject.name=p,reason=Started')).toContain('e');
    expect(await selected(events, 'regarding.name=p,reason=Started')).toContain('e');
    expect(await selected(events, 'regarding.name=q')).toEqual([]);
    for (const [path, selector] of [
      [coreEvents, 'regarding.name=p'],
      [events, 'involvedObject.name=p'],
    ]) {
      expect((await plane.admin.request('GET', `${path}?fieldSelector=${selector}`)).status).toBe(400);
    }
  });

  it('of the old form can go on in the new group, but not be made there', async () => {
    const { body } = await plane.admin.request('GET', `${events}/e`);
    const series = { count: 2, lastObservedTime: '2030-01-01T00:00:00.000000Z' };
    const updated = await plane.admin.request('PUT', `${events}/e`, { ...body, series });
    expect(updated.status, updated.text).toBe(200);
    expect((await plane.admin.request('GET', `${coreEvents}/e`)).body).toMatchObject({ series });
    const { uid: _uid, resourceVersion: _version, ...metadata } = body.metadata;
    const again = await plane.admin.request('POST', events, { ...body, metadata: { ...metadata, name: 'f' } });
    const fields = again.body.details?.causes?.map(({ field }) => field).sort();
    expect([again.status, fields]).toEqual([422, ['eventTime', 'source']]);
  });

  it('is owned by fields of the group it was written in', async () => {
    const { text } = await plane.admin.request('GET', `${events}/e`);
    const { managedFields } = JSON.parse(text).metadata as { managedFields: { apiVersion: string }[] };
    expect(managedFields.map(({ apiVersion }) => apiVersion).sort()).toEqual(['events.platform.io/v1', 'v1']);
  });

  it('needs a name fit for the new group only there', async () => {
    const name = 'not_a_subdomain';
    const old = { metadata: { name }, involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' } };
    expect((await plane.admin.request('POST', coreEvents, old)).status).toBe(201);
    const { body } = await plane.admin.request('POST', events, {
      metadata: { name: 'another_one' },
      eventTime: '2030-01-01T00:00:00.000000Z',
      regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
      ...{ reason: 'R', action: 'A', type: 'Normal', reportingController: 'c', reportingInstance: 'i' },
    });
    expect(body).toMatchObject({ code: 422, details: { causes: [{ field: 'metadata.name' }] } });
  });
});
