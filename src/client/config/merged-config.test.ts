import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EntryList, readDocument } from '../../outbound/config-file.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { configSources, defaultFile } from './config-sources.ts';
import { loadConfig, mergeConfigs } from './merged-config.ts';

const LISTS = ['clusters', 'users', 'contexts'] as const satisfies readonly EntryList[];
const FIELD = { clusters: 'cluster', users: 'user', contexts: 'context' } as const;

/** A document with few names, so that several documents share some. */
const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'toString');
const entries = (list: EntryList) =>
  fc
    .array(fc.tuple(name, fc.dictionary(name, fc.string(), { noNullPrototype: true })), { maxLength: 4 })
    .map((pairs) => pairs.map(([key, value]) => ({ name: key, [FIELD[list]]: value })));
const document = fc.record(
  {
    clusters: entries('clusters'),
    users: entries('users'),
    contexts: entries('contexts'),
    'current-context': fc.constantFrom('', 'a', 'b', 'c'),
  },
  { requiredKeys: [] },
);

const configOf = (fields: object, index: number) => readDocument({ ...fields }, `/${index}`);

describe('merging configurations', () => {
  it('takes each entry whole, from the first that has it, with the directory it came from', () => {
    fc.assert(
      fc.property(fc.array(document, { maxLength: 4 }), (documents) => {
        const merged = mergeConfigs(documents.map(configOf));
        for (const list of LISTS) {
          const all = documents.flatMap((each, index) =>
            (each[list] ?? []).map((entry) => ({ index, name: entry.name, fields: Reflect.get(entry, FIELD[list]) })),
          );
          expect(new Set(merged[list].keys())).toEqual(new Set(all.map((each) => each.name)));
          for (const [key, { fields, directory }] of merged[list]) {
            const first = all.find((each) => each.name === key);
            expect([directory, fields]).toEqual([`/${first?.index}`, first?.fields]);
          }
        }
        const chosen = documents.map((each) => each['current-context']).find((each) => each);
        expect(merged.currentContext).toBe(chosen);
      }),
    );
  });

  it('can be done in parts, and a second time, with the same result', () => {
    fc.assert(
      fc.property(fc.array(document, { maxLength: 4 }), fc.nat({ max: 4 }), (documents, at) => {
        const configs = documents.map(configOf);
        const whole = mergeConfigs(configs);
        const parts = [mergeConfigs(configs.slice(0, at)), mergeConfigs(configs.slice(at))];
        expect(mergeConfigs(parts)).toEqual(whole);
        expect(mergeConfigs([...configs, ...configs])).toEqual(whole);
      }),
    );
  });
});

describe('the files of a configuration', () => {
  let directory = '';
  let first = '';
  let second = '';
  let empty = '';
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'client-config-'));
    [first, second, empty] = ['first', 'second', 'empty'].map((each) => join(directory, each)) as [
      string,
      string,
      string,
    ];
    writeFileSync(first, 'users: [{name: u, user: {token: one}}]');
    writeFileSync(
      second,
      'current-context: x\nusers: [{name: u, user: {token: two}}, {name: v, user: {token: three}}]',
    );
    writeFileSync(empty, '\n');
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const sources = (vocabulary: 'platform' | 'kubernetes', environment: Record<string, string>, explicitFile?: string) =>
    configSources({ vocabularies: [vocabularies[vocabulary]], environment, homeDirectory: directory, explicitFile });

  it.each([
    ['platform', 'PLATFORMCONFIG', '.platform/config'],
    ['kubernetes', 'KUBECONFIG', '.kube/config'],
  ] as const)(
    'are listed by a variable in the %s vocabulary, or one is in the home directory',
    async (which, variable, home) => {
      const list = [first, '', second, first].join(delimiter);
      expect(await sources(which, { [variable]: list })).toEqual({ files: [first, second], isExplicit: false });
      expect(await sources(which, {})).toEqual({ files: [join(directory, home)], isExplicit: false });
      expect(await sources(which, { [variable]: '' })).toEqual({ files: [join(directory, home)], isExplicit: false });
      expect(await sources(which, { [variable]: list }, second)).toEqual({ files: [second], isExplicit: true });
    },
  );

  it('are those of the first vocabulary that has some', async () => {
    const both = [vocabularies.platform, vocabularies.kubernetes];
    const home = join(directory, 'home');
    const found = async (environment: Record<string, string>) =>
      (await configSources({ vocabularies: both, environment, homeDirectory: home })).files;
    expect(await found({ KUBECONFIG: second, PLATFORMCONFIG: first })).toEqual([first]);
    expect(await found({ KUBECONFIG: second })).toEqual([second]);
    expect(await found({})).toEqual([join(home, '.platform', 'config')]);
    mkdirSync(join(home, '.kube'), { recursive: true });
    writeFileSync(join(home, '.kube', 'config'), '');
    expect(await found({})).toEqual([join(home, '.kube', 'config')]);
  });

  it('are passed over where they are missing or empty', async () => {
    const list = [join(directory, 'gone'), empty, first, second].join(delimiter);
    const { merged, files } = await loadConfig(await sources('platform', { PLATFORMCONFIG: list }));
    expect(files.map(({ file }) => file)).toEqual([empty, first, second]);
    expect(merged.currentContext).toBe('x');
    expect([...merged.users].map(([key, { fields }]) => [key, fields.token])).toEqual([
      ['u', 'one'],
      ['v', 'three'],
    ]);
    expect((await loadConfig(await sources('platform', {}))).merged.users.size).toBe(0);
  });

  it('must exist when the user names one', async () => {
    const gone = join(directory, 'gone');
    await expect(loadConfig(await sources('platform', {}, gone))).rejects.toThrow(
      new Error(`${gone}: cannot be read (ENOENT)`),
    );
  });

  it('say in one line which of them is wrong', async () => {
    const broken = join(directory, 'broken');
    writeFileSync(broken, 'a: [secret');
    const wrong = join(directory, 'wrong');
    writeFileSync(wrong, 'users: [{name: 7}]');
    for (const [file, message] of [
      [broken, `${broken}: neither YAML nor JSON: line 1 cannot be parsed`],
      [wrong, `${wrong}: users[0].name: expected a string`],
      [directory, `${directory}: cannot be read (EISDIR)`],
    ] as const) {
      const list = [first, file].join(delimiter);
      await expect(loadConfig(await sources('platform', { PLATFORMCONFIG: list }))).rejects.toThrow(new Error(message));
    }
  });

  it('take new entries in the first that exists, or else in the last', async () => {
    const gone = join(directory, 'gone');
    const none = join(directory, 'none');
    expect(
      await defaultFile(await sources('platform', { PLATFORMCONFIG: [gone, second, first].join(delimiter) })),
    ).toBe(second);
    expect(await defaultFile(await sources('platform', { PLATFORMCONFIG: [gone, none].join(delimiter) }))).toBe(none);
    expect(await defaultFile(await sources('platform', {}, gone))).toBe(gone);
  });
});
