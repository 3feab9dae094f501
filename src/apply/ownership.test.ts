import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameJson } from '../schema/same-json.ts';
import { sharingOf } from './derive-sharing.ts';
import { documentFields } from './difference.ts';
import { finished, Thing, TrackedObject } from './test-object.ts';

/** Few names and values, so that writers meet. */
const name = fc.constantFrom('a', 'b', 'c');
const value = fc.constantFrom('1', '2', '3');
const number = fc.integer({ min: 1, max: 3 });
const values = fc.uniqueArray(value, { maxLength: 3 });
const probe = fc.record({ path: value, period: number }, { requiredKeys: [] });
const part = fc.record({ name, size: number, tags: values, probe }, { requiredKeys: ['name'] });
const port = fc.record(
  { port: number, protocol: fc.constantFrom('TCP', 'UDP'), title: value },
  { requiredKeys: ['port'] },
);
const document = fc.record(
  {
    labels: fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true }),
    replicas: number,
    parts: fc.uniqueArray(part, { maxLength: 3, selector: (item) => item.name }),
    ports: fc.uniqueArray(port, { maxLength: 3, selector: (item) => `${item.port} ${item.protocol ?? 'TCP'}` }),
    colours: values,
    steps: fc.array(value, { maxLength: 2 }),
    limits: fc.dictionary(name, value, { maxKeys: 2, noNullPrototype: true }),
    probe,
  },
  { requiredKeys: [] },
);
type Document = Record<string, unknown>;

interface Write {
  readonly does: 'apply' | 'update';
  readonly manager: string;
  readonly document: Document;
}

const write: fc.Arbitrary<Write> = fc.record({
  does: fc.constantFrom('apply' as const, 'update' as const),
  manager: fc.constantFrom('one', 'two', 'three'),
  document,
});
const history = fc.array(write, { maxLength: 8 });

function replay(writes: readonly Write[]): TrackedObject {
  const tracked = new TrackedObject();
  for (const one of writes) perform(tracked, one);
  return tracked;
}

function perform(tracked: TrackedObject, { does, manager, document }: Write): void {
  if (does === 'update') tracked.update(manager, document);
  else tracked.apply(manager, document, { force: true });
}

describe('apply', () => {
  it.each([
    ['p q', 'q p', 'q p'],
    ['a b', 'c', 'a b c'],
    ['a b', 'c a', 'c a b'],
    ['a x b', 'b y a', 'x b y a'],
    ['a b c d', 'd b', 'a c d b'],
    ['a b', 'a x y b', 'a x y b'],
    ['', 'b a', 'b a'],
    ['a b', 'a b', 'a b'],
  ])('puts items in the order of the document: of %j and %j becomes %j', (live, applied, merged) => {
    const words = (text: string) => ({ colours: text.split(' ').filter((word) => word !== '') });
    expect(sharingOf(Thing).merge(words(live), words(applied))).toEqual(words(merged));
  });

  it('comes to the same whether or not what was found out before is made use of', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(write, fc.boolean()), { maxLength: 10 }), (writes) => {
        const [remembering, forgetful] = [new TrackedObject(true), new TrackedObject(false)];
        let last: Document = {};
        for (const [one, again] of writes) {
          // Often a document that was applied before, with one part of it changed.
          const document = again ? { ...last, labels: one.document.labels } : one.document;
          for (const tracked of [remembering, forgetful]) perform(tracked, { ...one, document });
          last = document;
          expect(remembering.object).toEqual(forgetful.object);
          expect(remembering.record).toEqual(forgetful.record);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('changes nothing when it is repeated', () => {
    fc.assert(
      fc.property(history, document, (writes, wanted) => {
        const tracked = replay(writes);
        tracked.apply('one', wanted, { force: true });
        const { object, record } = tracked;
        expect(tracked.conflicts('one', wanted)).toEqual([]);
        tracked.apply('one', wanted);
        expect(tracked.object).toEqual(object);
        expect(tracked.record).toEqual(record);
      }),
    );
  });

  it('never conflicts with, and commutes with, one of other fields', () => {
    fc.assert(
      fc.property(document, document, (one, two) => {
        const first = filled(one);
        const other = filled(disjoint(two, first));
        const [left, right] = [new TrackedObject(), new TrackedObject()];
        left.apply('one', first);
        left.apply('two', other);
        right.apply('two', other);
        right.apply('one', first);
        expect(inAnyOrder(left.object)).toEqual(inAnyOrder(right.object));
        expect(left.owners).toEqual(right.owners);
      }),
    );
  });

  it('ends with what the document says when it is forced', () => {
    fc.assert(
      fc.property(history, document, (writes, wanted) => {
        const tracked = replay(writes);
        tracked.apply('four', wanted, { force: true });
        const again = finished(sharingOf(Thing).merge(tracked.object, wanted));
        expect(sameJson(again, tracked.object)).toBe(true);
        const said = documentFields(sharingOf(Thing), finished(wanted));
        const live = documentFields(sharingOf(Thing), tracked.object);
        expect([...said.difference(live).paths()]).toEqual([]);
      }),
    );
  });

  it('leaves what others own as it is, without force', () => {
    fc.assert(
      fc.property(history, document, (writes, wanted) => {
        const tracked = replay(writes);
        fc.pre(tracked.conflicts('four', wanted).length === 0);
        const before = tracked.owners;
        tracked.apply('four', wanted);
        const { 'four Apply': _own, ...others } = tracked.owners;
        expect(others).toEqual(before);
      }),
    );
  });
});

describe('the record', () => {
  it('is what the history of writes comes to', () => {
    fc.assert(
      fc.property(history, (writes) => {
        const tracked = new TrackedObject();
        const model = new Map<string, Set<string>>();
        for (const one of writes) {
          const before = placesOf({ ...tracked.object });
          perform(tracked, one);
          account(model, one, before, placesOf({ ...tracked.object }));
        }
        const expected = [...model].filter(([, places]) => places.size > 0);
        expect(tracked.owners).toEqual(Object.fromEntries(expected.map(([who, set]) => [who, [...set].sort()])));
      }),
      { numRuns: 500 },
    );
  });

  it('tells exactly the conflicts that there are', () => {
    fc.assert(
      fc.property(history, document, (writes, wanted) => {
        const tracked = replay(writes);
        const forced = tracked.copy();
        forced.apply('four', wanted, { force: true });
        const [before, after] = [placesOf({ ...tracked.object }), placesOf({ ...forced.object })];
        const touched = [...after].filter(([place, held]) => before.get(place) !== held).map(([place]) => place);
        const emptied = saidBy(wanted).filter((place) => before.has(place) && !after.has(place));
        const disputed = new Set([...touched, ...emptied]);
        const expected = Object.entries(tracked.owners).flatMap(([who, places]) =>
          places.filter((place) => disputed.has(place)).map((place) => `${who.split(' ')[0]} ${place}`),
        );
        expect(tracked.conflicts('four', wanted)).toEqual(expected.sort());
      }),
    );
  });
});

/** Bookkeeping by the rules, on flat places: who changes something owns it, others lose it; who applies owns what it says. */
function account(model: Map<string, Set<string>>, write: Write, before: Places, after: Places): void {
  const touched = [...after].filter(([place, held]) => before.get(place) !== held).map(([place]) => place);
  const removed = [...before.keys()].filter((place) => !after.has(place));
  const writer = `${write.manager} ${write.does === 'apply' ? 'Apply' : 'Update'}`;
  for (const [who, places] of model) {
    if (who === writer && write.does === 'update') for (const place of removed) places.delete(place);
    else if (who !== writer) for (const place of [...touched, ...removed]) places.delete(place);
  }
  const kept = write.does === 'update' ? (model.get(writer) ?? []) : saidBy(write.document);
  model.set(writer, new Set([...kept, ...(write.does === 'update' ? touched : [])]));
}

/** Places, with what tells one value of a place from another; containers only have a place. */
type Places = ReadonlyMap<string, string>;

type Held = { readonly [name: string]: unknown };

/** Every place of an object, spelled out by hand for the test kind. */
function placesOf(object: Held): Places {
  const places = new Map<string, string>();
  const leaf = (place: string, held: unknown): void => void places.set(place, JSON.stringify(held));
  walk(object, leaf, (place) => void places.set(place, 'container'));
  return places;
}

/** Places that a document owns: leaves, elements, entries, and structs that say nothing inside. */
function saidBy(document: Held): string[] {
  const places: string[] = [];
  walk(
    document,
    (place) => void places.push(place),
    (place, isOwned) => void (isOwned && places.push(place)),
  );
  return places;
}

type OnLeaf = (place: string, held: unknown) => void;
type OnContainer = (place: string, isOwned: boolean) => void;

function walk(thing: Held, onLeaf: OnLeaf, onContainer: OnContainer): void {
  const { labels, replicas, parts, ports, colours, steps, limits, probe } = thing as Thing;
  for (const [field, held] of Object.entries({ replicas, steps, limits })) {
    if (held !== undefined) onLeaf(`.${field}`, held);
  }
  if (labels) {
    onContainer('.labels', Object.keys(labels).length === 0);
    for (const [key, held] of Object.entries(labels)) onLeaf(`.labels.${key}`, held);
  }
  if (probe) walkProbe('.probe', probe, onLeaf, onContainer);
  if (colours) walkSet('.colours', colours, onLeaf, onContainer);
  if (parts) onContainer('.parts', false);
  for (const { name: key, size, tags, probe: inner } of parts ?? []) {
    const place = `.parts[name="${key}"]`;
    onContainer(place, true);
    onLeaf(`${place}.name`, key);
    if (size !== undefined) onLeaf(`${place}.size`, size);
    if (tags) walkSet(`${place}.tags`, tags, onLeaf, onContainer);
    if (inner) walkProbe(`${place}.probe`, inner, onLeaf, onContainer);
  }
  if (ports) onContainer('.ports', false);
  for (const item of ports ?? []) {
    const place = `.ports[port=${item.port},protocol="${item.protocol ?? 'TCP'}"]`;
    onContainer(place, true);
    for (const [field, held] of Object.entries(item)) onLeaf(`${place}.${field}`, held);
  }
}

function walkProbe(place: string, probe: object, onLeaf: OnLeaf, onContainer: OnContainer): void {
  onContainer(place, Object.keys(probe).length === 0);
  for (const [field, held] of Object.entries(probe)) onLeaf(`${place}.${field}`, held);
}

function walkSet(place: string, items: readonly string[], onLeaf: OnLeaf, onContainer: OnContainer): void {
  onContainer(place, false);
  for (const item of items) onLeaf(`${place}[="${item}"]`, item);
}

/** A document without the places of another. */
const disjoint = (wanted: Document, other: Document): unknown =>
  sharingOf(Thing).remove(wanted, documentFields(sharingOf(Thing), other));

/** A document that says nothing of being empty: who owns an empty map is in the way of whoever fills it. */
function filled(wanted: unknown): Document {
  const { parts, ...rest } = { ...(wanted as Thing) };
  const held = { ...rest, ...(parts ? { parts: parts.map((item) => withoutEmpty(item)) } : {}) };
  return withoutEmpty(held);
}

const withoutEmpty = (object: object): Document =>
  Object.fromEntries(
    Object.entries(object).filter(
      ([, held]) => held !== null && (typeof held !== 'object' || Object.keys(held).length > 0),
    ),
  );

/** Elements of lists stand in the order in which they came; for comparisons that do not mind. */
const inAnyOrder = (held: unknown): unknown => {
  if (Array.isArray(held)) return held.map(inAnyOrder).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof held !== 'object' || held === null) return held;
  return Object.fromEntries(Object.entries(held).map(([key, inner]) => [key, inAnyOrder(inner)]));
};
