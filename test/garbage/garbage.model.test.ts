import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError } from '../../src/api/errors.ts';
import { outcomes, steps, textOf } from './model.ts';
import { apiVersion, GarbagePlane, KINDS, kindNamed, turn } from './plane.ts';

const RUNS = Number(process.env.GARBAGE_RUNS ?? 40);
const HOLD = 'example.com/hold';

const owner = fc.record({
  /** One of all that there ever were. */
  of: fc.nat(),
  blocks: fc.boolean(),
  /** What is wrong with the reference. */
  twist: fc.constantFrom('', '', '', '', '', 'name', 'uid', 'kind', 'unknown kind'),
});
const action = fc.record({
  verb: fc.constantFrom('create', 'create', 'create', 'own', 'delete', 'delete', 'serve', 'crash'),
  plural: fc.constantFrom('lions', 'lions', 'bears', 'tigers', 'whales'),
  namespace: fc.constantFrom('one', 'one', 'one', 'two'),
  owners: fc.array(owner, { maxLength: 3 }),
  finalizers: fc.constantFrom([], [], [], [], [HOLD], ['orphan'], ['foregroundDeletion', HOLD]),
  policy: fc.constantFrom('Background', 'Foreground', 'Foreground', 'Orphan'),
  of: fc.nat(),
  turns: fc.nat({ max: 20 }),
});
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;
const seed = fc.integer({ min: 1, max: 2 ** 31 - 2 });
/** How many turns each life of the collector has, but for the last. */
const lives = fc.array(fc.nat({ max: 60 }), { maxLength: 4 });

interface Made {
  readonly plural: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Requests take a while, and one in twenty gets lost. */
function weatherOf(from: number) {
  let state = from;
  const next = (most: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
  return {
    loses: () => next(40) === 0,
    async delay() {
      for (let left = next(3); left > 0; left--) await turn();
    },
  };
}

/** Makes objects, changes them and deletes them; what is refused is refused. */
class Users {
  readonly #plane: GarbagePlane;
  readonly #made: Made[] = [];

  constructor(plane: GarbagePlane) {
    this.#plane = plane;
  }

  async act(action: Action): Promise<void> {
    await this.#do(action).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      expect([403, 404, 409, 422]).toContain(error.code);
    });
  }

  async releaseAll(): Promise<void> {
    for (const { plural, namespace, name } of this.#made) {
      const release = this.#plane.patch(plural, namespace, name, { metadata: { finalizers: null } });
      await release.catch((error: unknown) => expect(error).toBeInstanceOf(ApiError));
    }
  }

  async #do({ verb, plural, namespace, owners, finalizers, policy, of }: Action): Promise<void> {
    // Each owner once: what has become of one that is named twice may be read before and after it goes.
    const references = owners.flatMap((it) => this.#reference(it));
    const ownerReferences = [...new Map(references.map((it) => [it.uid, it])).values()];
    const within = KINDS[plural as keyof typeof KINDS] ? namespace : '';
    const one = this.#made[of % this.#made.length];
    if (verb === 'create') {
      const name = `${plural}-${this.#made.length}`;
      const { metadata } = await this.#plane.create(plural, within, { name, ownerReferences, finalizers });
      this.#made.push({ plural, namespace: within, name, uid: metadata.uid ?? '' });
    } else if (verb === 'own' && one) {
      await this.#plane.patch(one.plural, one.namespace, one.name, { metadata: { ownerReferences } });
    } else if (verb === 'delete' && one) {
      await this.#plane.delete(one.plural, one.namespace, one.name, { propagationPolicy: policy });
    } else if (verb === 'serve') this.#plane.serve('tigers', of % 2 === 0);
  }

  #reference({ of, blocks, twist }: Action['owners'][number]) {
    const one = this.#made[of % this.#made.length];
    if (!one) return [];
    const kind = twist === 'unknown kind' ? 'Unicorn' : kindNamed(twist === 'kind' ? 'lions' : one.plural);
    const name = twist === 'name' ? `not-${one.name}` : one.name;
    const uid = twist === 'uid' ? `not-${one.uid}` : one.uid;
    return [{ apiVersion, kind, name, uid, blockOwnerDeletion: blocks }];
  }
}

/** Has the collector work until it has nothing left to do, through several lives. */
async function collect(plane: GarbagePlane, turnsOf: readonly number[]): Promise<void> {
  for (const turns of turnsOf) {
    plane.begin();
    for (let left = turns; left > 0; left--) await turn();
    await plane.crash();
  }
  plane.begin();
  await plane.idle();
}

it('what remains is what the rules say, whatever is collected first and however often the collector crashes', async () => {
  const property = fc.asyncProperty(
    fc.array(action, { maxLength: 14, size: 'max' }),
    lives,
    seed,
    async (actions, turnsOf, from) => {
      const plane = await GarbagePlane.open(weatherOf(from));
      const users = new Users(plane);
      for (const each of actions) await users.act(each);
      for (const change of [async () => {}, () => users.releaseAll(), async () => plane.serve('tigers', true)]) {
        await plane.crash();
        await change();
        const allowed = outcomes(plane.world(), plane);
        await collect(plane, turnsOf);
        expect(allowed).toContain(textOf(plane.world()));
      }
      expect(plane.wrongs).toEqual([]);
      expect(plane.failures).toEqual([]);
      await plane.close();
    },
  );
  await fc.assert(property, { numRuns: RUNS });
}, 3_600_000);

it('nothing is left to do in the end, and nothing was deleted that had an owner, whatever happens meanwhile', async () => {
  const property = fc.asyncProperty(fc.array(action, { maxLength: 25, size: 'max' }), seed, async (actions, from) => {
    const plane = await GarbagePlane.open(weatherOf(from));
    const users = new Users(plane);
    for (const each of actions) {
      plane.begin();
      for (let left = each.turns; left > 0; left--) await turn();
      if (each.verb === 'crash') await plane.crash();
      else await users.act(each);
    }
    plane.serve('tigers', true);
    plane.begin();
    await plane.idle();
    expect(steps(plane.world(), plane)).toEqual([]);
    expect(plane.wrongs).toEqual([]);
    expect(plane.failures).toEqual([]);
    await plane.close();
  });
  await fc.assert(property, { numRuns: RUNS });
}, 3_600_000);
