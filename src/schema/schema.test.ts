import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalise, settle } from './derive/canonical.ts';
import { runChecks } from './derive/checks.ts';
import { applyDefaults } from './derive/defaults.ts';
import { TypeMismatch } from './derive/reading.ts';
import type { Node } from './node.ts';
import { Problems } from './problems.ts';
import { renamed } from './rename.ts';
import { amount, bool, bytes, int32, int64, intOrString, quantity, string, time } from './scalars.ts';
import { f, type Infer, inline, kind, list, map, type Struct, struct, union } from './schema.ts';

const Port = struct('test.Port', {
  name: f(1, string()),
  number: f(3, int32().required()),
  protocol: f(4, string().publishedDefault('TCP').oneOf('TCP', 'UDP')),
});
const Source = struct('test.Source', { path: f(1, string().required()), file: f(2, string().optional()) });
interface Rule {
  negate?: Rule;
  extra?: Rule | boolean;
  level: number;
}
const Rule: Struct<Rule> = struct('test.Rule', () => ({
  negate: f(1, Rule.optional()),
  extra: f(2, RuleOrBool.optional()),
  level: f(3, int32().always().default(7)),
}));
const RuleOrBool = union<Rule | boolean>('test.RuleOrBool', {
  allows: { takes: 'boolean', number: 1, node: () => bool().always() },
  rule: { takes: 'object', number: 2, node: () => Rule.optional(), implies: { allows: true } },
});
const Tree = struct('test.Tree', {
  value: f(1, string().default('leaf')),
  children: f(
    2,
    list((): Node => Tree),
  ),
});
const Thing = kind(
  'test.Thing',
  {
    replicas: f(1, int32().optional()),
    labels: f(2, map(string())),
    ports: f(3, list(Port).mapBy('number', 'protocol').mergeBy('number')),
    source: inline(4, Source),
    limits: f(5, map(quantity())),
    since: f(6, time()),
    data: f(7, map(bytes())),
    tree: f(8, Tree.optional()),
    target: f(9, intOrString().optional()),
    items: f(10, list(string()).required()),
    ready: f(11, bool()),
    size: f(12, int64()),
  },
  {
    defaults(value) {
      value.replicas ??= value.ports?.length ?? 0;
    },
  },
);
type Thing = Infer<typeof Thing>;

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

const read = (value: unknown) => canonicalise(Thing, value).value;

describe('canonical form', () => {
  it('writes what is always written, leaves out other zeros and keeps declared order', () => {
    const thing: Thing = read({
      size: 0,
      ready: false,
      ports: [{ number: 0, name: '' }],
      apiVersion: 'v1',
      kind: 'Thing',
      replicas: 0,
      labels: {},
    });
    expect(JSON.stringify(thing)).toBe(
      '{"kind":"Thing","apiVersion":"v1","replicas":0,"ports":[{"number":0}],"path":"","since":null,"items":null}',
    );
  });

  it.each([
    ['1u', '1m'],
    ['1.5m', '2m'],
    ['-1n', '-1m'],
    ['1e-6', '1e-3'],
    ['0.1Ki', '102400m'],
    ['2500m', '2500m'],
    ['1Gi', '1Gi'],
  ])('keeps nothing finer than a thousandth of an amount: %s is %s', (sent, kept) => {
    expect(canonicalise(amount(), sent).value).toBe(kept);
  });

  it('treats null as unset, and as the empty value inside lists and maps', () => {
    expect(read({ replicas: null, labels: { a: null }, ports: [null], items: null })).toEqual({
      labels: { a: '' },
      ports: [{ number: 0 }],
      path: '',
      since: null,
      items: null,
    });
  });

  it('reports every unknown field with its path and drops it', () => {
    const { value, unknown } = canonicalise(Thing, {
      path: 'p',
      nope: 1,
      ports: [{ number: 1 }, { number: 2, x: {} }],
    });
    expect(unknown).toEqual(['nope', 'ports[1].x']);
    expect(value).not.toHaveProperty('nope');
  });

  it.each([
    [{ replicas: '3' }, 'replicas'],
    [{ replicas: 1.5 }, 'replicas'],
    [{ replicas: 2 ** 31 }, 'replicas'],
    [{ size: 2 ** 53 }, 'size'],
    [{ ports: [{ number: 1 }, { number: true }] }, 'ports[1].number'],
    [{ labels: { a: 1 } }, 'labels.a'],
    [{ data: { a: '*' } }, 'data.a'],
    [{ since: 'yesterday' }, 'since'],
    [{ since: '2023-02-30T00:00:00Z' }, 'since'],
    [{ limits: { cpu: '1x' } }, 'limits.cpu'],
    [{ items: {} }, 'items'],
    [{ tree: { children: [{ children: [[]] }] } }, 'tree.children[0].children[0]'],
  ])('refuses %j at the exact path', (value, path) => {
    expect(() => read(value)).toThrow(expect.objectContaining({ name: TypeMismatch.name, path }));
  });

  it('takes __proto__ and constructor in maps as plain data', () => {
    const value = read(JSON.parse('{"labels":{"__proto__":"x","constructor":"y"},"constructor":1}'));
    expect(JSON.stringify(value.labels)).toBe('{"__proto__":"x","constructor":"y"}');
    expect(Object.getPrototypeOf(value.labels)).toBe(Object.prototype);
  });

  const port = fc.record({ number: fc.nat(3), name: fc.constantFrom('', 'x'), protocol: fc.constant('UDP') });
  /** In any order of fields, some of which nobody declared. */
  const anyThing = fc
    .record(
      {
        replicas: fc.option(fc.integer({ min: -5, max: 5 })),
        labels: fc.option(fc.dictionary(fc.string(), fc.string())),
        ports: fc.array(port),
        path: fc.string(),
        limits: fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1000m', '0.5', '2048Ki', '1e3', '12')),
        since: fc.constantFrom(null, '2024-01-02T03:04:05Z', '2024-01-02T03:04:05.678+02:00'),
        ready: fc.boolean(),
        other: fc.string(),
        ['__proto__']: fc.constant({}),
      },
      { requiredKeys: [] },
    )
    .chain((value) => fc.shuffledSubarray(Object.entries(value)).map((entries) => Object.fromEntries(entries)));

  it('is reached in one step: canonical values stay as they are', () => {
    fc.assert(
      fc.property(anyThing, (value) => {
        const once = read(value);
        expect(JSON.stringify(read(once))).toBe(JSON.stringify(once));
      }),
    );
  });

  it('is the same for those who want no copy, who are given canonical values back', () => {
    fc.assert(
      fc.property(anyThing, (value) => {
        const text = JSON.stringify(value);
        const copied = read(value);
        expect(JSON.stringify(settle(Thing, value))).toBe(JSON.stringify(copied));
        expect(JSON.stringify(value)).toBe(text);
        // Keys that are numbers come first in every object, and are never seen to be sorted.
        fc.pre(Object.keys(copied.labels ?? {}).every((key) => !/^\d+$/.test(key)));
        expect(settle(Thing, copied)).toBe(copied);
      }),
    );
  });

  it('is the same whatever is known of it, and shares nothing with that', () => {
    fc.assert(
      fc.property(anyThing, anyThing, fc.func(fc.boolean()), (one, other, takes) => {
        const known = freeze(read(one));
        const parts = Object.entries(known).filter(([name]) => takes(name));
        const mixed = { ...other, ...Object.fromEntries(parts) };
        const result = canonicalise(Thing, mixed, known).value;
        expect(JSON.stringify(result)).toBe(JSON.stringify(read(mixed)));
        for (const part of [result.ports, result.labels, result.limits]) part && Object.assign(part, { changed: true });
        expect(settle(Thing, known, known)).toBe(known);
      }),
    );
  });
});

describe('a union', () => {
  it.each([[true], [false], [{ level: 1 }], [{ negate: { extra: false, level: 2 }, level: 1 }]])(
    'keeps the form %j was written in',
    (extra) => {
      expect(canonicalise(Rule, { extra }).value).toEqual({ extra, level: 0 });
    },
  );

  it('refuses a form it does not have, at the exact path', () => {
    const wrong = { negate: { extra: { extra: [] } } };
    expect(() => canonicalise(Rule, wrong)).toThrow('negate.extra.extra: expected a boolean or an object, got a list');
  });

  it('has the defaults of the form it was written in', () => {
    const { value } = canonicalise(Rule, { extra: { level: 0 }, negate: { extra: true } });
    applyDefaults(Rule, value);
    expect(value).toEqual({ extra: { level: 7 }, negate: { extra: true, level: 7 }, level: 7 });
  });
});

describe('an older version', () => {
  it('has new names for its own types only, and the same values', () => {
    const Inner = struct('a.v1.Inner', { text: f(1, string().default('x')), port: f(2, Port.optional()) });
    const Outer = kind('a.v1.Outer', { one: f(1, Inner), many: f(2, list(Inner)) });
    const Older = renamed(Outer, 'a.v1.', 'a.v1beta1.');
    const { one, many } = Older.shape.fields;
    expect(Older.shape.name).toBe('a.v1beta1.Outer');
    expect(one?.node.shape).toMatchObject({ name: 'a.v1beta1.Inner' });
    expect(renamed(Inner, 'a.v1.', 'a.v1beta1.').shape.fields.port?.node.shape).toBe(Port.shape);
    expect(many).toBeDefined();
    const value: Infer<typeof Outer> = canonicalise(Older, { many: [{}] }).value;
    applyDefaults(Older, value);
    expect(value).toEqual({ one: { text: 'x' }, many: [{ text: 'x' }] });
  });
});

describe('defaults', () => {
  it('replace a zero only where zero means unset', () => {
    const Mixed = struct('test.Mixed', {
      count: f(1, int32().always().default(3)),
      limit: f(2, int32().optional().default(3)),
      name: f(3, string().optional().default('n')),
    });
    const { value } = canonicalise(Mixed, { count: 0, limit: 0, name: '' });
    applyDefaults(Mixed, value);
    expect(value).toEqual({ count: 3, limit: 0, name: '' });
  });

  it('fill unset fields at every depth, then what a struct derives from them', () => {
    const thing = read({ ports: [{ number: 1 }, { number: 2, protocol: 'UDP' }], tree: { children: [{}] } });
    applyDefaults(Thing, thing);
    expect(thing.replicas).toBe(2);
    expect(thing.ports?.map((port) => port.protocol)).toEqual(['TCP', 'UDP']);
    expect(thing.tree).toEqual({ value: 'leaf', children: [{ value: 'leaf' }] });
  });
});

describe('checks', () => {
  it('name every value that is not allowed', () => {
    const problems = new Problems();
    runChecks(Thing, read({ ports: [{ number: 1, protocol: 'ICMP' }] }), problems);
    expect(problems.found).toEqual([
      {
        field: 'ports[0].protocol',
        reason: 'FieldValueNotSupported',
        message: 'Unsupported value: "ICMP": supported values: "TCP", "UDP"',
      },
    ]);
  });
});
