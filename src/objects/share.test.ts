import fc from 'fast-check';
import { expect, it } from 'vitest';
import { atOnce } from '../runtime/pacing.ts';
import { draftOf } from '../schema/draft.ts';
import { sameJson } from '../schema/same-json.ts';
import { share, shareInSteps } from './share.ts';

const name = fc.constantFrom('a', 'b', '__proto__', '1');
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, fc.constantFrom(null, true, 0, '', 'x'), tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(name, tie('value'), { noNullPrototype: true, maxKeys: 3 }),
}));

/** Every object and list in a value, with the way to it: what is in a list has another than what is in an object. */
function* partsOf(part: unknown, path = ''): Generator<[string, object]> {
  if (typeof part !== 'object' || part === null) return;
  yield [path, part];
  const sign = Array.isArray(part) ? '-' : '/';
  for (const [key, inside] of Object.entries(part)) yield* partsOf(inside, `${path}${sign}${key}`);
}

it('says what the draft says, with every part of before that says the same in its place', () => {
  fc.assert(
    fc.property(value, value, (before, after) => {
      const said = JSON.stringify(after);
      const shared = share(before, draftOf(after));
      expect(sameJson(shared, JSON.parse(said))).toBe(true);
      const old = new Map(partsOf(before));
      for (const [path, part] of partsOf(shared)) {
        const earlier = old.get(path);
        if (earlier !== undefined && sameJson(earlier, part)) expect(part).toBe(earlier);
      }
    }),
  );
});

it('comes to the same in steps', () => {
  fc.assert(
    fc.property(value, value, (before, after) => {
      const [plain, stepped] = [share(before, draftOf(after)), atOnce(shareInSteps(before, draftOf(after)))];
      expect(JSON.stringify(stepped)).toBe(JSON.stringify(plain));
      expect(stepped === before).toBe(plain === before);
      const kept = new Map(partsOf(plain));
      const old = new Set([...partsOf(before)].map(([, part]) => part));
      for (const [path, part] of partsOf(stepped)) expect(old.has(part)).toBe(old.has(kept.get(path) as object));
    }),
  );
});

it('leaves before as it was', () => {
  fc.assert(
    fc.property(value, value, (before, after) => {
      const text = JSON.stringify(before);
      share(before, draftOf(after));
      expect(JSON.stringify(before)).toBe(text);
    }),
  );
});

it('takes fields that are undefined for fields that are not there', () => {
  const before = { a: { b: 1 } };
  expect(share<object>(before, { a: { b: 1, c: undefined }, d: undefined })).toBe(before);
});

it('leaves alone what has moved in a draft: it is part of a value', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), fc.nat(3), (parts, by) => {
      const before = [...frozen(parts)];
      const moved = [...before.slice(by), ...before.slice(0, by)];
      expect(share<unknown>(before, moved)).toEqual(moved);
      expect(share<unknown>({ ...before }, { ...moved })).toEqual({ ...moved });
    }),
  );
});

function frozen<T>(value: T): T {
  for (const [, part] of partsOf(value)) Object.freeze(part);
  return value;
}
