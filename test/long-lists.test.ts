import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import { PROTOBUF, Translator, type Typed } from './support/binary.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** More than are looked at in one go. */
const OBJECTS = 5_100;
const PATH = '/api/v1/namespaces/default/configmaps';
const TABLE = 'application/json;as=Table;v=v1;g=meta.platform.io';
const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.platform.io';

let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer();
  const { registry, catalogue } = plane.server;
  const type = catalogue.preferred('', 'configmaps');
  if (!type) throw new Error('there are no config maps');
  const user = { name: 'test', uid: '', groups: [], extra: new Map() };
  for (let from = 0; from < OBJECTS; from += 100) {
    const names = Array.from({ length: 100 }, (_, at) => `c-${String(from + at).padStart(5, '0')}`);
    await Promise.all(
      names.map((name, at) => {
        const labels = { parity: at % 2 === 0 ? 'even' : 'odd', ...(at % 10 === 0 && { tenth: 'yes' }) };
        return registry.create(type, 'default', { metadata: { name, labels }, data: { name } }, { user });
      }),
    );
  }
});

afterAll(() => plane.close());

const textOf = async (path: string, accept = 'application/json'): Promise<string> => {
  const { status, text } = await plane.admin.request('GET', path, undefined, { accept });
  expect(status).toBe(200);
  return text;
};

interface List {
  readonly metadata: { readonly continue: string; readonly resourceVersion: string };
  readonly items?: readonly object[];
  readonly rows?: readonly { readonly cells: readonly unknown[] }[];
}

/** Without what may change between two lists: the version, as others write too, and ages, the last that tables tell. */
const ageless = ({ metadata, ...list }: List): object => ({
  ...list,
  continue: metadata.continue,
  ...(list.rows && { rows: list.rows.map((row) => ({ ...row, cells: row.cells.slice(0, -1) })) }),
});

/** The same list in chunks, which are short. */
async function inChunks(path: string, accept?: string): Promise<List> {
  const pages: List[] = [];
  let token = '';
  do {
    const more = `limit=1000${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`;
    const page: List = JSON.parse(await textOf(`${path}${path.includes('?') ? '&' : '?'}${more}`, accept));
    pages.push(page);
    token = page.metadata.continue;
  } while (token !== '');
  const [first] = pages;
  if (!first) throw new Error('there is no page');
  const { resourceVersion } = first.metadata;
  const field = first.rows ? 'rows' : 'items';
  return {
    ...first,
    metadata: { resourceVersion, continue: '' },
    [field]: pages.flatMap((page) => page[field] ?? []),
  };
}

describe('a list of more objects than are looked at in one go', () => {
  it.each([
    ['as it is', PATH, undefined],
    ['as a table', PATH, TABLE],
    ['as a table with objects', `${PATH}?includeObject=Object`, TABLE],
    ['as metadata', PATH, METADATA],
    ['as a selection', `${PATH}?labelSelector=parity%3Dodd`, undefined],
  ])('%s says what its chunks say', async (_how, path, accept) => {
    const whole: List = JSON.parse(await textOf(path, accept));
    expect(ageless(whole)).toEqual(ageless(await inChunks(path, accept)));
  });

  it('is pretty where that is asked for', async () => {
    const pretty = await textOf(`${PATH}?pretty=true`);
    expect(pretty).toBe(`${JSON.stringify(JSON.parse(pretty), null, 2)}\n`);
    expect(JSON.parse(pretty).items).toEqual(JSON.parse(await textOf(PATH)).items);
  });

  it('can be had in YAML', async () => {
    const document = parse(await textOf(`${PATH}?labelSelector=parity%3Dodd`, 'application/yaml'));
    expect(document.items).toEqual(JSON.parse(await textOf(`${PATH}?labelSelector=parity%3Dodd`)).items);
  });

  it.each([
    ['as it is', PROTOBUF, 'application/json'],
    ['as metadata', `${PROTOBUF};as=PartialObjectMetadataList;v=v1;g=meta.platform.io`, METADATA],
  ])('can be had in binary, %s', async (_how, binary, text) => {
    const translator = new Translator(plane.server.catalogue, vocabularies.platform.groups.meta);
    const path = `${PATH}?labelSelector=tenth`;
    const { bytes } = await plane.admin.request('GET', path, undefined, { accept: binary });
    // In binary an item does not say what it is.
    const untyped = ({ items }: Typed) =>
      (items as readonly object[]).map((item) => ({ ...item, kind: undefined, apiVersion: undefined }));
    const expected = untyped(translator.canonical(JSON.parse(await textOf(path, text))));
    expect(untyped(translator.decode(bytes))).toEqual(expected);
    expect(expected).toHaveLength(OBJECTS / 10);
  });

  it('may turn out to hold nothing', async () => {
    const { items } = JSON.parse(await textOf(`${PATH}?labelSelector=parity%3Dnone`));
    expect(items).toEqual([]);
  });

  it('is of one moment, whatever is written while it is read', async () => {
    const reading = plane.admin.request('GET', PATH);
    await plane.admin.request('POST', PATH, { metadata: { name: 'zz-later' } });
    const { text } = await reading;
    const list: { metadata: { resourceVersion: string }; items: { metadata: { resourceVersion: string } }[] } =
      JSON.parse(text);
    const newest = Math.max(...list.items.map(({ metadata }) => Number(metadata.resourceVersion)));
    expect(newest).toBeLessThanOrEqual(Number(list.metadata.resourceVersion));
    await plane.admin.request('DELETE', `${PATH}/zz-later`);
  });
});

it('a watch begins with all of them, each once, in order', async () => {
  const watch = await plane.watch(`${PATH}?watch=1`);
  const names: string[] = [];
  while (names.length < OBJECTS + 1) {
    const event = await watch.next();
    names.push(event.object.metadata.name);
  }
  expect(new Set(names).size).toBe(OBJECTS + 1);
  expect(names).toEqual(names.toSorted());
  watch.close();
});
