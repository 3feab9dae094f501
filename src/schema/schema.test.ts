import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalise, TypeMismatch } from './derive/canonical.ts';
import { runChecks } from './derive/checks.ts';
import { applyDefaults } from './derive/defaults.ts';
import { Problems } from './problems.ts';
import { bool, bytes, int32, int64, intOrString, quantity, string, time } from './scalars.ts';
import { f, type Infer, inline, kind, list, map, type Node, struct } from './schema.ts';

const Port = struct('test.Port', {
  name: f(1, string()),
  number: f(3, int32().required()),
  protocol: f(4, string().publishedDefault('TCP').oneOf('TCP', 'UDP')),
});
const Source = struct('test.Source', { path: f(1, string().required()), file: f(2, string().optional()) });
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
    expect(unknown).toEqual(['ports[1].x', 'nope']);
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

  it('is reached in one step: canonical values stay as they are', () => {
    const anyThing = fc.record(
      {
        replicas: fc.option(fc.integer({ min: -5, max: 5 })),
        labels: fc.option(fc.dictionary(fc.string(), fc.string())),
        ports: fc.array(fc.record({ number: fc.nat(3), name: fc.constantFrom('', 'x'), protocol: fc.constant('UDP') })),
        path: fc.string(),
        limits: fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1000m', '0.5', '2048Ki', '1e3', '12')),
        since: fc.constantFrom(null, '2024-01-02T03:04:05Z', '2024-01-02T03:04:05.678+02:00'),
        ready: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(anyThing, (value) => {
        const once = read(value);
        expect(JSON.stringify(read(once))).toBe(JSON.stringify(once));
      }),
    );
  });
});

describe('defaults', () => {
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
