import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { customObject, DEFINITIONS, define, definition, version } from './support/definitions.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** Custom objects selected by fields that their definition names: `spec.tint` is selectable in v2 only. */

const GROUP = 'paint.example.com';
const TEXT = { type: 'string' };
const FIELDS = { color: TEXT, litres: { type: 'integer' }, isOpen: { type: 'boolean' }, tint: TEXT };
const fields = (...names: string[]): object => ({
  selectableFields: names.map((name) => ({ jsonPath: `.spec.${name}` })),
});

let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer();
});

afterAll(() => plane.close());

const pathOf = (plural: string, name = 'v1'): string => `/apis/${GROUP}/${name}/namespaces/default/${plural}`;

async function start(plural: string): Promise<void> {
  const versions = [
    version('v2', FIELDS, fields('tint')),
    version('v1', FIELDS, { storage: true, ...fields('color', 'litres', 'isOpen') }),
  ];
  await define(plane.admin, definition(plural, GROUP, versions), pathOf(plural, 'v2'));
}

async function store(plural: string, name: string, spec: object): Promise<void> {
  const path = pathOf(plural);
  const made = await plane.admin.request('POST', path, customObject(path, { metadata: { name }, spec }));
  expect(made.status, made.text).toBe(201);
}

async function found(path: string, selector: string): Promise<string[]> {
  const { status, text, body } = await plane.admin.request(
    'GET',
    `${path}?fieldSelector=${encodeURIComponent(selector)}`,
  );
  expect(status, text).toBe(200);
  return body.items.map(({ metadata }) => metadata.name ?? '');
}

it('lists are selected by texts, numbers and booleans, and by their absence', async () => {
  await start('cans');
  await store('cans', 'a', { color: 'red', litres: 5, isOpen: true });
  await store('cans', 'b', { color: 'red', litres: 0, isOpen: false });
  await store('cans', 'c', { color: 'blue' });
  const path = pathOf('cans');
  expect(await found(path, 'spec.color=red')).toEqual(['a', 'b']);
  expect(await found(path, 'spec.color!=red')).toEqual(['c']);
  expect(await found(path, 'spec.litres=0')).toEqual(['b']);
  expect(await found(path, 'spec.isOpen=true,spec.color=red')).toEqual(['a']);
  expect(await found(path, 'spec.litres=')).toEqual(['c']);
  expect(await found(path, 'metadata.name=a,spec.color=red')).toEqual(['a']);
});

it('fields count in the versions that name them, and are unknown in others', async () => {
  await start('pots');
  await store('pots', 'a', { tint: 'warm', color: 'red' });
  await store('pots', 'b', { tint: 'cold', color: 'red' });
  for (const _ of ['first', 'again']) {
    expect(await found(pathOf('pots', 'v2'), 'spec.tint=warm')).toEqual(['a']);
    expect(await found(pathOf('pots'), 'spec.color=red')).toEqual(['a', 'b']);
  }
  const refused = await plane.admin.request('GET', `${pathOf('pots')}?fieldSelector=spec.tint%3Dwarm`);
  expect([refused.status, refused.body.message]).toEqual([400, 'field label not supported: spec.tint']);
});

it('a watch tells of objects that come into the selection and that leave it', async () => {
  await start('tubs');
  await store('tubs', 'a', { tint: 'cold' });
  const watch = await plane.watch(`${pathOf('tubs', 'v2')}?watch=1&fieldSelector=spec.tint%3Dwarm`);
  onTestFinished(() => watch.close());
  const paint = (tint: string, litres: number) =>
    plane.admin.request('PATCH', `${pathOf('tubs')}/a`, { spec: { tint, litres } });
  await paint('warm', 1);
  await paint('warm', 2);
  await paint('cold', 3);
  await paint('warm', 4);
  const events = await watch.take(4);
  expect(events.map(({ type, object }) => `${type} ${object.apiVersion} ${object.spec.tint}`)).toEqual(
    ['ADDED', 'MODIFIED', 'DELETED', 'ADDED'].map((type) => `${type} ${GROUP}/v2 warm`),
  );
});

it('deletecollection takes what is selected and leaves the rest', async () => {
  await start('jars');
  await store('jars', 'a', { color: 'red' });
  await store('jars', 'b', { color: 'blue' });
  await plane.admin.request('DELETE', `${pathOf('jars')}?fieldSelector=spec.color%3Dred`);
  expect(await found(pathOf('jars'), '')).toEqual(['b']);
});

it('a definition that names other fields from now on has stored objects selected by these', async () => {
  await start('kegs');
  await store('kegs', 'a', { color: 'red', tint: 'warm' });
  const versions = [version('v1', FIELDS, { storage: true, ...fields('tint') })];
  const changed = await plane.admin.request('PATCH', `${DEFINITIONS}/kegs.${GROUP}`, { spec: { versions } });
  expect(changed.status, changed.text).toBe(200);
  await expect.poll(() => plane.admin.request('GET', pathOf('kegs', 'v2'))).toMatchObject({ status: 404 });
  expect(await found(pathOf('kegs'), 'spec.tint=warm')).toEqual(['a']);
});

it('stay out of the published schemas, which are those of an older release', async () => {
  const { text } = await plane.admin.request('GET', '/openapi/v3/apis/apiextensions.platform.io/v1');
  expect(text).toContain('additionalPrinterColumns');
  expect(text).not.toMatch(/selectableField/i);
});
