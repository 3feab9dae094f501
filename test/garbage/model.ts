import type { Kinds, Ref, Thing, World } from './world.ts';

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

const orphans = ({ isGoing, finalizers }: Thing): boolean => isGoing && finalizers.includes(ORPHAN);
const awaits = ({ isGoing, finalizers }: Thing): boolean => isGoing && finalizers.includes(FOREGROUND);

/** What an owner is to a dependent. */
export function standingOf(world: World, kinds: Kinds, { namespace }: Thing, ref: Ref): string {
  if (!kinds.isServed(ref.kind)) return 'unresolved';
  const isNamespaced = kinds.isNamespaced(ref.kind);
  if (isNamespaced && namespace === '') return 'unresolved';
  const isMeant = (it: Thing) => it.uid === ref.uid && it.kind === ref.kind && it.name === ref.name;
  const owner = world.find((it) => isMeant(it) && it.namespace === (isNamespaced ? namespace : ''));
  if (!owner) return 'dangling';
  return awaits(owner) ? 'awaiting' : 'solid';
}

/** Puts another state of a thing into the world, or none: what is going and has no finalizers left is gone. */
function put(world: World, thing: Thing): World {
  const isGone = thing.isGoing && thing.finalizers.length === 0;
  return world.flatMap((it) => (it.uid !== thing.uid ? it : isGone ? [] : thing));
}

const without = (thing: Thing, finalizer: string): Thing => ({
  ...thing,
  finalizers: thing.finalizers.filter((one) => one !== finalizer),
});

const dependentsOf = (world: World, { uid }: Thing): Thing[] =>
  world.filter(({ owners }) => owners.some((ref) => ref.uid === uid));

const blocks = ({ owners }: Thing, { uid }: Thing): boolean => owners.some((ref) => ref.uid === uid && ref.blocks);

function isInCircle(world: World, thing: Thing): boolean {
  const seen = new Set<Thing>();
  const waitingFor = (it: Thing) => world.filter((owner) => awaits(owner) && blocks(it, owner));
  const open = waitingFor(thing);
  for (let owner = open.pop(); owner; owner = open.pop()) {
    if (owner === thing) return true;
    if (!seen.has(owner)) open.push(...waitingFor(owner));
    seen.add(owner);
  }
  return false;
}

/** The server keeps what is named twice once. */
const onceEach = (refs: readonly Ref[]): Ref[] =>
  refs.filter((ref, at) => refs.findIndex((other) => JSON.stringify(other) === JSON.stringify(ref)) === at);

/** Every world that one step of the collector can lead to. */
export function steps(world: World, kinds: Kinds): World[] {
  return world.flatMap((thing) => {
    const dependents = dependentsOf(world, thing);
    if (orphans(thing)) {
      if (dependents.length === 0) return [put(world, without(thing, ORPHAN))];
      const freed = (it: Thing) => ({ ...it, owners: it.owners.filter(({ uid }) => uid !== thing.uid) });
      return dependents.map((dependent) => put(world, freed(dependent)));
    }
    if (awaits(thing)) {
      if (!dependents.some((it) => blocks(it, thing))) return [put(world, without(thing, FOREGROUND))];
      if (!isInCircle(world, thing)) return [];
      return [put(world, { ...thing, owners: onceEach(thing.owners.map((ref) => ({ ...ref, blocks: false }))) })];
    }
    return thing.isGoing ? [] : collect(world, kinds, thing, dependents.length > 0);
  });
}

function collect(world: World, kinds: Kinds, thing: Thing, hasDependents: boolean): World[] {
  const standings = thing.owners.map((ref) => standingOf(world, kinds, thing, ref));
  if (standings.length === 0 || standings.includes('unresolved')) return [];
  const solid = thing.owners.filter((_, at) => standings[at] === 'solid');
  if (solid.length === thing.owners.length) return [];
  if (solid.length > 0) return [put(world, { ...thing, owners: solid })];
  const others = thing.finalizers.filter((one) => one !== ORPHAN && one !== FOREGROUND);
  const awaited = hasDependents && standings.includes('awaiting') ? [FOREGROUND] : undefined;
  const asked = thing.finalizers.filter((one) => !others.includes(one));
  return [put(world, { ...thing, isGoing: true, finalizers: [...others, ...(awaited ?? asked)] })];
}

export const textOf = (world: World): string => JSON.stringify([...world].sort((a, b) => (a.uid < b.uid ? -1 : 1)));

/** Every world in which nothing is left to do that the collector can come to, whatever it does first. */
export function outcomes(world: World, kinds: Kinds): Set<string> {
  const [ends, seen, open] = [new Set<string>(), new Set<string>(), [world]];
  for (let next = open.pop(); next; next = open.pop()) {
    const text = textOf(next);
    if (seen.has(text)) continue;
    seen.add(text);
    const further = steps(next, kinds);
    if (further.length === 0) ends.add(text);
    open.push(...further);
  }
  return ends;
}
