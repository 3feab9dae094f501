import { describe, expect, it } from 'vitest';
import { Catalogue, type CatalogueFollower } from './catalogue.ts';
import { Kind, kindsOf } from './kind.ts';
import { ZOO, zooKind, zooType } from './test-kinds.ts';

function catalogueOf(...kinds: readonly Kind[]): Catalogue {
  const catalogue = new Catalogue([{ name: 'listed', versions: ['v2', 'v1'] }]);
  catalogue.add(...kinds);
  return catalogue;
}

const nameOf = ({ plural, versions }: Kind): string => `${plural} ${versions.map(({ version }) => version)}`;

function told(catalogue: Catalogue): { readonly changes: string[]; close(): void } {
  const changes: string[] = [];
  const follower: CatalogueFollower = {
    onAdd: (kind) => changes.push(`add ${nameOf(kind)}`),
    onReplace: (before, kind) => changes.push(`replace ${nameOf(before)} by ${nameOf(kind)}`),
    onRemove: (kind) => changes.push(`remove ${nameOf(kind)}`),
  };
  return { changes, ...catalogue.follow(follower) };
}

describe('a kind in the catalogue', () => {
  it('is found by each of its versions, by what its objects say they are, and by where they are', () => {
    const lions = zooKind('lions', ['v1', 'v2']);
    const catalogue = catalogueOf(lions);
    const [older, newer] = lions.versions;
    expect(catalogue.find(ZOO, 'v1', 'lions')).toBe(older);
    expect(catalogue.find(ZOO, 'v3', 'lions')).toBeUndefined();
    expect(catalogue.named(`${ZOO}/v2`, 'Lion')).toEqual([newer]);
    expect(catalogue.named(`${ZOO}/v2`, 'Tiger')).toEqual([]);
    expect(catalogue.storedIn(`lions.${ZOO}`)).toBe(lions);
    expect(catalogue.kind({ group: ZOO, plural: 'lions' })).toBe(lions);
    expect(older && catalogue.servedAs(older, `${ZOO}/v2`)).toBe(newer);
    expect(older && catalogue.servedAs(older, `${ZOO}/v1`)).toBe(older);
    expect(older && catalogue.servedAs(older, 'v2')).toBeUndefined();
  });

  it('has a preferred version: the first that its group lists and that is served', () => {
    const types = ['v1', 'v2'].map((version) => zooType('lions', version, { group: 'listed' }));
    const [v1, v2] = types;
    if (!v1 || !v2) throw new Error('there are two');
    const both = catalogueOf(new Kind({ versions: types, storage: v1 }));
    expect(both.preferred('listed', 'lions')).toBe(v2);
    expect(both.groups()).toEqual([{ name: 'listed', versions: ['v2', 'v1'] }]);
    const one = catalogueOf(new Kind({ versions: types, storage: v1, isServed: (type) => type === v1 }));
    expect(one.preferred('listed', 'lions')).toBe(v1);
    const none = catalogueOf(new Kind({ versions: types, storage: v1, isServed: () => false }));
    expect(none.preferred('listed', 'lions')).toBe(v2);
    expect([none.find('listed', 'v1', 'lions'), none.hasGroup('listed'), none.groups()]).toEqual([
      undefined,
      false,
      [],
    ]);
  });

  it('may be shown in several groups', () => {
    const stored = zooType('lions', 'v1', { group: '' });
    const same = <T>(object: T): T => object;
    const other = zooType('lions', 'v1', {
      collection: stored.collection,
      conversion: { hub: stored, toHub: same, fromHub: same },
    });
    const [lions, ...more] = kindsOf([stored, other]);
    if (!lions) throw new Error('there is one');
    expect(more).toEqual([]);
    const catalogue = catalogueOf(lions);
    expect([catalogue.preferred('', 'lions'), catalogue.preferred(ZOO, 'lions')]).toEqual([stored, other]);
    expect(catalogue.servedAs(stored, `${ZOO}/v1`)).toBe(other);
    catalogue.remove(lions);
    expect([catalogue.preferred('', 'lions'), catalogue.preferred(ZOO, 'lions')]).toEqual([undefined, undefined]);
  });
});

describe('a kind that is replaced', () => {
  it('gives way as a whole, while who has its types stays with it', () => {
    const [before, after] = [zooKind('lions', ['v1', 'v2']), zooKind('lions', ['v2', 'v3'])];
    const catalogue = catalogueOf(before);
    const { revision } = catalogue;
    catalogue.replace(after);
    expect(catalogue.revision).toBeGreaterThan(revision);
    expect(catalogue.find(ZOO, 'v1', 'lions')).toBeUndefined();
    expect(catalogue.find(ZOO, 'v2', 'lions')).toBe(after.in(`${ZOO}/v2`));
    expect(catalogue.typesOf(ZOO, 'v2')).toEqual([after.in(`${ZOO}/v2`)]);
    expect(catalogue.named(`${ZOO}/v1`, 'Lion')).toEqual([]);
    expect(catalogue.kindOf(before.storage)).toBe(before);
    expect(catalogue.servedAs(before.storage, `${ZOO}/v1`)).toBe(before.in(`${ZOO}/v1`));
    expect([...catalogue.kinds()]).toEqual([after]);
  });

  it('may keep types of the one before', () => {
    const before = zooKind('lions', ['v1', 'v2']);
    const catalogue = catalogueOf(before);
    const [, v2] = before.versions;
    catalogue.replace(
      new Kind({ versions: before.versions, storage: before.storage, isServed: (type) => type === v2 }),
    );
    expect([catalogue.find(ZOO, 'v1', 'lions'), catalogue.find(ZOO, 'v2', 'lions')]).toEqual([undefined, v2]);
    expect([catalogue.typesOf(ZOO, 'v1'), catalogue.typesOf(ZOO, 'v2')]).toEqual([[], [v2]]);
    expect(catalogue.preferred(ZOO, 'lions')).toBe(v2);
  });

  it('keeps the place of its versions and of its group', () => {
    const catalogue = catalogueOf(zooKind('lions', ['v1']), zooKind('tigers', ['v2']));
    catalogue.add(...kindsOf([zooType('bears', 'v1', { group: 'forest.example', collection: 'bears' })]));
    const groups = catalogue.groups();
    catalogue.replace(zooKind('lions', ['v1']));
    expect(catalogue.groups()).toEqual(groups);
    expect(groups).toEqual([
      { name: 'forest.example', versions: ['v1'] },
      { name: ZOO, versions: ['v2', 'v1'] },
    ]);
  });
});

describe('a change that cannot be made', () => {
  it.each([
    [
      'a second kind of the same name',
      (catalogue: Catalogue) => catalogue.add(zooKind('bears', ['v1']), zooKind('lions', ['v9'])),
    ],
    [
      'a kind that is stored where another is',
      (catalogue: Catalogue) =>
        catalogue.add(...kindsOf([zooType('bears', 'v1'), zooType('cats', 'v1', { collection: `lions.${ZOO}` })])),
    ],
    ['another kind in the place of none', (catalogue: Catalogue) => catalogue.replace(zooKind('bears', ['v1']))],
  ])('%s changes nothing', (_what, change) => {
    const lions = zooKind('lions', ['v1']);
    const catalogue = catalogueOf(lions);
    const { changes } = told(catalogue);
    const { revision } = catalogue;
    expect(() => change(catalogue)).toThrow(Error);
    expect([catalogue.revision, [...catalogue.kinds()], changes]).toEqual([revision, [lions], []]);
  });
});

describe('who follows the catalogue', () => {
  it('is told of every change once it is made, until it is closed', () => {
    const catalogue = catalogueOf();
    const seen: unknown[] = [];
    const { changes, close } = told(catalogue);
    catalogue.follow({
      onAdd: () => seen.push(catalogue.find(ZOO, 'v1', 'lions') !== undefined),
      onReplace: () => seen.push(catalogue.find(ZOO, 'v1', 'lions') !== undefined),
      onRemove: () => seen.push(catalogue.hasGroup(ZOO)),
    });
    catalogue.add(zooKind('lions', ['v1']));
    catalogue.replace(zooKind('lions', ['v2']));
    catalogue.remove({ group: ZOO, plural: 'lions' });
    catalogue.remove({ group: ZOO, plural: 'lions' });
    close();
    catalogue.add(zooKind('lions', ['v1']));
    expect(changes).toEqual(['add lions v1', 'replace lions v1 by lions v2', 'remove lions v2']);
    expect(seen).toEqual([true, false, false, true]);
  });

  it('is told also when another one throws, whose problem is not lost', () => {
    const catalogue = catalogueOf();
    const fail = (): void => {
      throw new Error('not now');
    };
    catalogue.follow({ onAdd: fail, onReplace: fail, onRemove: fail });
    const { changes } = told(catalogue);
    expect(() => catalogue.add(zooKind('lions', ['v1']))).toThrow(AggregateError);
    expect(changes).toEqual(['add lions v1']);
    expect(catalogue.hasGroup(ZOO)).toBe(true);
  });
});

it('groups and versions that come and go leave nothing behind', () => {
  const catalogue = catalogueOf();
  for (let index = 0; index < 50; index++) {
    const group = `g${index}.example`;
    catalogue.add(...kindsOf([zooType('lions', `v${index}`, { group })]));
    expect(catalogue.groups()).toEqual([{ name: group, versions: [`v${index}`] }]);
    catalogue.remove({ group, plural: 'lions' });
  }
  expect([catalogue.groups(), [...catalogue.all()], [...catalogue.kinds()]]).toEqual([[], [], []]);
});

it('lists are sorted again only where something changed', () => {
  const catalogue = catalogueOf(zooKind('lions', ['v1']), zooKind('tigers', ['v2']));
  const untouched = catalogue.typesOf(ZOO, 'v2');
  expect(catalogue.groups()).toBe(catalogue.groups());
  catalogue.add(zooKind('bears', ['v1']));
  expect(catalogue.typesOf(ZOO, 'v1').map(({ plural }) => plural)).toEqual(['bears', 'lions']);
  expect(catalogue.typesOf(ZOO, 'v2')).toBe(untouched);
});
