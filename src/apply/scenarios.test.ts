import { describe, expect, it } from 'vitest';
import { DuplicateElement } from './difference.ts';
import { fieldSetOf } from './field-set.ts';
import { type OwnerTable, type Thing, TrackedObject, type WriteOptions } from './test-object.ts';

interface Step {
  readonly does: 'apply' | 'update';
  readonly manager: string;
  readonly object: object;
  readonly options: WriteOptions;
  /** An apply that must run into exactly these. */
  readonly conflicts?: readonly string[];
}

const apply = (manager: string, object: object, options: WriteOptions = {}): Step => ({
  does: 'apply',
  manager,
  object,
  options,
});
const force = (manager: string, object: object, options: WriteOptions = {}): Step =>
  apply(manager, object, { ...options, force: true });
const update = (manager: string, object: object, options: WriteOptions = {}): Step => ({
  does: 'update',
  manager,
  object,
  options,
});
const refused = (step: Step, ...conflicts: string[]): Step => ({ ...step, conflicts });

interface Scenario {
  readonly says: string;
  readonly steps: readonly Step[];
  readonly object: object;
  readonly owners: OwnerTable;
}

const SCENARIOS: readonly Scenario[] = [
  {
    says: 'an applier owns what its document says and no more',
    steps: [update('maker', { labels: { a: '1' }, replicas: 1 }), apply('one', { replicas: 1 })],
    object: { labels: { a: '1' }, replicas: 1 },
    owners: { 'maker Update': ['.labels', '.labels.a', '.replicas'], 'one Apply': ['.replicas'] },
  },
  {
    says: 'an updater owns what it changed, containers that it made included',
    steps: [update('one', { labels: { a: '1' } }), update('two', { labels: { a: '1', b: '2' } })],
    object: { labels: { a: '1', b: '2' } },
    owners: { 'one Update': ['.labels', '.labels.a'], 'two Update': ['.labels.b'] },
  },
  {
    says: 'an update takes what it changes',
    steps: [apply('one', { labels: { a: '1', b: '1' } }), update('two', { labels: { a: '2', b: '1' } })],
    object: { labels: { a: '2', b: '1' } },
    owners: { 'one Apply': ['.labels.b'], 'two Update': ['.labels.a'] },
  },
  {
    says: 'what an update removes is nobody’s',
    steps: [apply('one', { labels: { a: '1', b: '1' } }), update('two', { labels: { b: '1' } })],
    object: { labels: { b: '1' } },
    owners: { 'one Apply': ['.labels.b'] },
  },
  {
    says: 'an applier that leaves a field out removes it',
    steps: [apply('one', { labels: { a: '1', b: '1' }, replicas: 2 }), apply('one', { labels: { b: '1' } })],
    object: { labels: { b: '1' } },
    owners: { 'one Apply': ['.labels.b'] },
  },
  {
    says: 'a field that another applier shares stays when one leaves it out, and goes with the last',
    steps: [
      apply('one', { replicas: 2 }),
      apply('two', { replicas: 2 }),
      apply('one', {}),
      apply('three', { replicas: 2 }),
      apply('two', {}),
    ],
    object: { replicas: 2 },
    owners: { 'three Apply': ['.replicas'] },
  },
  {
    says: 'a field that an updater owns stays when its applier leaves it out',
    steps: [update('maker', { replicas: 2 }), apply('one', { replicas: 2 }), apply('one', {})],
    object: { replicas: 2 },
    owners: { 'maker Update': ['.replicas'] },
  },
  {
    says: 'other values than those of an owner conflict, equal ones do not',
    steps: [
      apply('one', { replicas: 2, labels: { a: '1' } }),
      refused(apply('two', { replicas: 3, labels: { a: '1' } }), 'one .replicas'),
      apply('two', { labels: { a: '1' } }),
    ],
    object: { replicas: 2, labels: { a: '1' } },
    owners: { 'one Apply': ['.labels.a', '.replicas'], 'two Apply': ['.labels.a'] },
  },
  {
    says: 'every field in conflict is named, with its owner',
    steps: [
      apply('one', { labels: { a: '1' } }),
      update('two', { labels: { a: '1', b: '1' } }),
      refused(apply('three', { labels: { a: '2', b: '2' } }), 'one .labels.a', 'two .labels.b'),
    ],
    object: { labels: { a: '1', b: '1' } },
    owners: { 'one Apply': ['.labels.a'], 'two Update': ['.labels.b'] },
  },
  {
    says: 'force takes what others own',
    steps: [apply('one', { replicas: 2, labels: { a: '1' } }), force('two', { replicas: 3 })],
    object: { replicas: 3, labels: { a: '1' } },
    owners: { 'one Apply': ['.labels.a'], 'two Apply': ['.replicas'] },
  },
  {
    says: 'the same name is one owner for updates and another for applies',
    steps: [update('one', { replicas: 2 }), apply('one', { replicas: 2 })],
    object: { replicas: 2 },
    owners: { 'one Apply': ['.replicas'], 'one Update': ['.replicas'] },
  },
  {
    says: 'elements of keyed lists merge by their key, in the order in which they are applied',
    steps: [
      apply('one', { parts: [{ name: 'a', size: 1 }, { name: 'b' }] }),
      apply('two', { parts: [{ name: 'c' }, { name: 'a', tags: ['x'] }] }),
    ],
    object: { parts: [{ name: 'c' }, { name: 'a', size: 1, tags: ['x'] }, { name: 'b' }] },
    owners: {
      'one Apply': [
        '.parts[name="a"]',
        '.parts[name="a"].name',
        '.parts[name="a"].size',
        '.parts[name="b"]',
        '.parts[name="b"].name',
      ],
      'two Apply': [
        '.parts[name="a"]',
        '.parts[name="a"].name',
        '.parts[name="a"].tags[="x"]',
        '.parts[name="c"]',
        '.parts[name="c"].name',
      ],
    },
  },
  {
    says: 'a key that is left out has its default',
    steps: [
      apply('one', { ports: [{ port: 80, protocol: 'TCP', title: 'x' }] }),
      apply('two', { ports: [{ port: 80 }, { port: 80, protocol: 'UDP' }] }),
    ],
    object: {
      ports: [
        { port: 80, protocol: 'TCP', title: 'x' },
        { port: 80, protocol: 'UDP' },
      ],
    },
    owners: {
      'one Apply': [
        '.ports[port=80,protocol="TCP"]',
        '.ports[port=80,protocol="TCP"].port',
        '.ports[port=80,protocol="TCP"].protocol',
        '.ports[port=80,protocol="TCP"].title',
      ],
      'two Apply': [
        '.ports[port=80,protocol="TCP"]',
        '.ports[port=80,protocol="TCP"].port',
        '.ports[port=80,protocol="UDP"]',
        '.ports[port=80,protocol="UDP"].port',
        '.ports[port=80,protocol="UDP"].protocol',
      ],
    },
  },
  {
    says: 'an element goes with its applier, together with what an updater changed inside it',
    steps: [
      apply('one', { parts: [{ name: 'a' }, { name: 'b' }] }),
      update('two', { parts: [{ name: 'a' }, { name: 'b', size: 3 }] }),
      apply('one', { parts: [{ name: 'a' }] }),
    ],
    object: { parts: [{ name: 'a' }] },
    owners: { 'one Apply': ['.parts[name="a"]', '.parts[name="a"].name'] },
  },
  {
    says: 'an element that another applier has stays, less what only the first had in it',
    steps: [
      apply('one', { parts: [{ name: 'a', size: 1, tags: ['x'] }] }),
      apply('two', { parts: [{ name: 'a', tags: ['y'] }] }),
      apply('one', {}),
    ],
    object: { parts: [{ name: 'a', tags: ['y'] }] },
    owners: { 'two Apply': ['.parts[name="a"]', '.parts[name="a"].name', '.parts[name="a"].tags[="y"]'] },
  },
  {
    says: 'an element that both leave goes',
    steps: [
      apply('one', { parts: [{ name: 'a', size: 1 }], replicas: 1 }),
      apply('two', { parts: [{ name: 'a' }] }),
      apply('one', { replicas: 1 }),
      apply('two', {}),
    ],
    object: { replicas: 1 },
    owners: { 'one Apply': ['.replicas'] },
  },
  {
    says: 'values of a set are owned one by one',
    steps: [
      apply('one', { colours: ['red', 'blue'] }),
      apply('two', { colours: ['green', 'red'] }),
      apply('one', { colours: ['blue'] }),
    ],
    object: { colours: ['green', 'red', 'blue'] },
    owners: { 'one Apply': ['.colours[="blue"]'], 'two Apply': ['.colours[="green"]', '.colours[="red"]'] },
  },
  {
    says: 'atomic lists and maps have one owner as a whole',
    steps: [
      apply('one', { steps: ['a', 'b'], limits: { cpu: '1' } }),
      refused(apply('two', { steps: ['c'], limits: { memory: '1' } }), 'one .limits', 'one .steps'),
      force('two', { steps: ['c'] }),
    ],
    object: { steps: ['c'], limits: { cpu: '1' } },
    owners: { 'one Apply': ['.limits'], 'two Apply': ['.steps'] },
  },
  {
    says: 'a struct that its applier leaves out goes with the defaults it was given',
    steps: [apply('one', { probe: { path: '/' } }), apply('one', {})],
    object: {},
    owners: {},
  },
  {
    says: 'a struct that its applier leaves out stays when another owns something inside it',
    steps: [apply('one', { probe: { path: '/' } }), apply('two', { probe: { period: 10 } }), apply('one', {})],
    object: { probe: { period: 10 } },
    owners: { 'two Apply': ['.probe.period'] },
  },
  {
    says: 'an empty struct is a place of its own, an empty list is none',
    steps: [apply('one', { probe: {}, colours: [] })],
    object: { probe: { period: 10 } },
    owners: { 'one Apply': ['.probe'] },
  },
  {
    says: 'null removes a field, and is owned as long as it is said',
    steps: [update('maker', { replicas: 2 }), force('one', { replicas: null })],
    object: {},
    owners: { 'one Apply': ['.replicas'] },
  },
  {
    says: 'emptying what another owns conflicts',
    steps: [
      apply('one', { steps: ['a'], replicas: 1 }),
      refused(apply('two', { steps: [], replicas: null }), 'one .replicas', 'one .steps'),
    ],
    object: { steps: ['a'], replicas: 1 },
    owners: { 'one Apply': ['.replicas', '.steps'] },
  },
  {
    says: 'null for a map or keyed list leaves the entries of others alone',
    steps: [
      apply('one', { labels: { a: '1' }, parts: [{ name: 'a' }] }),
      apply('two', { labels: null, parts: null, probe: null }),
    ],
    object: { labels: { a: '1' }, parts: [{ name: 'a' }] },
    owners: {
      'one Apply': ['.labels.a', '.parts[name="a"]', '.parts[name="a"].name'],
      'two Apply': ['.labels', '.parts', '.probe'],
    },
  },
  {
    says: 'a record of another version is compared in that version',
    steps: [
      apply('one', { replicas: 2 }, { apiVersion: 'v1' }),
      refused(apply('two', { count: 3 }, { apiVersion: 'v2' }), 'one .replicas'),
      update('two', { count: 3 }, { apiVersion: 'v2' }),
    ],
    object: { replicas: 3 },
    owners: { 'two Update': ['.count'] },
  },
  {
    says: 'an applier that goes on in another version gives up what it had in the first',
    steps: [
      apply('one', { replicas: 2, labels: { a: '1' } }, { apiVersion: 'v1' }),
      apply('one', { labels: { a: '1' } }, { apiVersion: 'v2' }),
    ],
    object: { labels: { a: '1' } },
    owners: { 'one Apply': ['.labels.a'] },
  },
  {
    says: 'a field that is owned in another version stays when its applier leaves it out',
    steps: [
      apply('one', { replicas: 2, labels: { a: '1' } }, { apiVersion: 'v1' }),
      apply('two', { count: 2 }, { apiVersion: 'v2' }),
      apply('one', { labels: { a: '1' } }, { apiVersion: 'v1' }),
    ],
    object: { replicas: 2, labels: { a: '1' } },
    owners: { 'one Apply': ['.labels.a'], 'two Apply': ['.count'] },
  },
];

function play(steps: readonly Step[]): TrackedObject {
  const tracked = new TrackedObject();
  for (const { does, manager, object, options, conflicts } of steps) {
    if (conflicts) expect(tracked.conflicts(manager, object, options)).toEqual(conflicts);
    else if (does === 'apply') tracked.apply(manager, object, options);
    else tracked.update(manager, object, options);
  }
  return tracked;
}

describe('ownership', () => {
  it.each(SCENARIOS)('$says', ({ steps, object, owners }) => {
    const tracked = play(steps);
    expect(tracked.object).toEqual(object);
    expect(tracked.owners).toEqual(owners);
  });

  const timeOf = ({ record }: TrackedObject, manager: string): string =>
    record.find((entry) => entry.manager === manager)?.time ?? '';

  it.each([
    ['another value', { replicas: 5 }],
    ['more', { replicas: 1, steps: ['x'] }],
  ])('an owner that applies %s does so now, and others stay as they were', (_what, object) => {
    const steps = [apply('one', { replicas: 1 }), apply('two', { labels: { a: '1' } })];
    const [before, after] = [play(steps), play([...steps, apply('one', object)])];
    expect(timeOf(after, 'one') > timeOf(before, 'one')).toBe(true);
    expect(timeOf(after, 'two')).toBe(timeOf(before, 'two'));
  });

  it.each([
    ['changes what it owns', { replicas: 2, labels: { a: '1' } }, true],
    ['changes something else too', { replicas: 1, labels: { a: '2' } }, true],
    ['changes nothing', { replicas: 1, labels: { a: '1' } }, false],
    ['only takes away', { replicas: 1 }, false],
  ])('the time of an updater that %s', (_does, object, renews) => {
    const steps = [update('one', { replicas: 1, labels: { a: '1' } })];
    const [before, after] = [play(steps), play([...steps, update('one', object)])];
    expect(timeOf(after, 'one') > timeOf(before, 'one')).toBe(renews);
  });

  it('keeps the time of an applier that applies the same again', () => {
    const steps = [apply('one', { replicas: 1 }), apply('one', { replicas: 1 })];
    expect(timeOf(play(steps), 'one')).toBe(timeOf(play(steps.slice(1)), 'one'));
  });

  it('takes without force what is excused, and runs into no more than the rest', () => {
    const tracked = play([update('maker', { replicas: 1, labels: { a: '1' } })]);
    const wanted = { replicas: 2, labels: { a: '2' } };
    expect(tracked.conflicts('one', wanted, { excused: fieldSetOf('replicas') })).toEqual(['maker .labels.a']);
    expect(tracked.conflicts('one', wanted, { excused: fieldSetOf('labels') })).toHaveLength(2);
    tracked.apply('one', wanted, { excused: fieldSetOf('replicas', 'labels.a') });
    expect(tracked.object).toEqual(wanted);
    expect(tracked.owners).toEqual({ 'maker Update': ['.labels'], 'one Apply': ['.labels.a', '.replicas'] });
  });

  it('refuses a document that has an element twice, wherever it is', () => {
    const twice = { parts: [{ name: 'a' }, { name: 'a' }] };
    expect(() => play([apply('one', twice)])).toThrow(DuplicateElement);
    expect(() => play([apply('one', { parts: [{ name: 'a', tags: ['x', 'x'] }] })])).toThrow('"x"');
    expect(() => play([apply('one', { ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] })])).toThrow(
      DuplicateElement,
    );
  });

  it('takes elements that are stored twice for one, and has them replaced by an applied one', () => {
    const twice = {
      ports: [
        { port: 1, title: 'x' },
        { port: 1, title: 'y' },
      ],
    };
    const tracked = play([update('maker', twice), update('other', { ...twice, replicas: 1 })]);
    expect(tracked.owners).toEqual({
      'maker Update': ['.ports', '.ports[port=1,protocol="TCP"]'],
      'other Update': ['.replicas'],
    });
    expect(tracked.conflicts('one', { ports: [{ port: 1, title: 'z' }] })).toEqual([
      'maker .ports[port=1,protocol="TCP"]',
    ]);
    tracked.apply('one', { ports: [{ port: 1, title: 'z' }] }, { force: true });
    expect(tracked.object.ports).toEqual([{ port: 1, protocol: 'TCP', title: 'z' }]);
  });

  it('tells ten updaters apart and joins the oldest of more', () => {
    const labels: Record<string, string> = {};
    const tracked = new TrackedObject();
    for (let at = 10; at < 25; at++) {
      labels[`l${at}`] = 'x';
      tracked.update(`m${at}`, { labels: { ...labels } });
    }
    const { owners } = tracked;
    expect(Object.keys(owners)).toEqual([
      'ancient-changes Update',
      ...Array.from({ length: 9 }, (_, at) => `m${at + 16} Update`),
    ]);
    expect(owners['ancient-changes Update']).toEqual([
      '.labels',
      ...Array.from({ length: 6 }, (_, at) => `.labels.l${at + 10}`),
    ]);
  });

  describe('of a kind whose declaration has changed', () => {
    const recordedBefore = (object: Thing, fieldsV1: Record<string, object>): TrackedObject => {
      const tracked = new TrackedObject();
      tracked.object = object;
      const who = { manager: 'one', operation: 'Apply', apiVersion: 'v1', time: '1970-01-01T00:00:00Z' };
      tracked.record = [{ ...who, fieldsType: 'FieldsV1', fieldsV1 }];
      return tracked;
    };

    it('is of the whole where it was bit by bit, so that others conflict', () => {
      const bitByBit = (): TrackedObject =>
        recordedBefore(
          { limits: { cpu: '1', memory: '1' }, steps: ['a', 'b'], labels: { x: '1' } },
          { 'f:limits': { 'f:cpu': {} }, 'f:steps': { 'v:"a"': {} }, 'f:labels': { 'f:x': {} } },
        );
      expect(bitByBit().conflicts('two', { limits: { cpu: '1' }, steps: ['c'] })).toEqual([
        'one .limits',
        'one .steps',
      ]);
      const updated = bitByBit();
      updated.update('two', { ...updated.object, limits: { cpu: '2' } });
      expect(updated.owners).toEqual({ 'one Apply': ['.labels.x', '.steps'], 'two Update': ['.limits'] });
      const given = bitByBit();
      given.apply('one', { steps: ['a', 'b'] });
      expect(given.object).toEqual({ steps: ['a', 'b'] });
      expect(given.owners).toEqual({ 'one Apply': ['.steps'] });
    });

    it('is of nothing inside where it was of the whole, so that others do not conflict', () => {
      const whole = (): TrackedObject =>
        recordedBefore({ labels: { x: '1' }, colours: ['red'] }, { 'f:labels': {}, 'f:colours': {} });
      expect(whole().conflicts('two', { labels: { x: '2' }, colours: ['blue'] })).toEqual([]);
      const shared = whole();
      shared.apply('two', { labels: { x: '2' }, colours: ['blue'] });
      expect(shared.object).toEqual({ labels: { x: '2' }, colours: ['red', 'blue'] });
      shared.apply('one', { labels: { y: '1' } });
      expect(shared.owners).toEqual({ 'one Apply': ['.labels.y'], 'two Apply': ['.colours[="blue"]', '.labels.x'] });
    });
  });
});
