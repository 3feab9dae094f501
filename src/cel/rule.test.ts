import { describe, expect, it } from 'vitest';
import { dns1123Label } from '../meta/formats.ts';
import { DefinitionCost } from './cost/definition-cost.ts';
import { EVALUATION_LIMIT, OBJECT_LIMIT } from './cost/limits.ts';
import { standardFunctions } from './functions/standard.ts';
import { Budget, type CompiledRule, RuleCompiler, type RuleSource, type Verdict } from './rule.ts';
import type { RuleSchema } from './types/schema-types.ts';

const names = {
  intOrString: 'x-int-or-string',
  embeddedResource: 'x-embedded',
  listType: 'x-list-type',
  listMapKeys: 'x-list-map-keys',
};
const compiler = new RuleCompiler({ names, functions: standardFunctions({ dns1123Label }) });

const objectOf = (properties: Readonly<Record<string, RuleSchema>>, more: RuleSchema = {}): RuleSchema => ({
  type: 'object',
  properties,
  ...more,
});

function compiled(source: string | RuleSource, schema: RuleSchema, isResource = false): CompiledRule {
  const result = compiler.compileRule(typeof source === 'string' ? { rule: source } : source, schema, isResource);
  if ('problems' in result) throw new Error(result.problems.map(({ message }) => message).join('\n'));
  return result.compiled;
}

function problemOf(source: string | RuleSource, schema: RuleSchema): string {
  const result = compiler.compileRule(typeof source === 'string' ? { rule: source } : source, schema);
  return 'problems' in result ? result.problems.map(({ message }) => message).join('\n') : 'none';
}

const verdict = (rule: string | RuleSource, schema: RuleSchema, self: unknown, oldSelf?: unknown): Verdict =>
  compiled(rule, schema).evaluate(self, oldSelf, new Budget());

const holds = (rule: string, schema: RuleSchema, self: unknown, oldSelf?: unknown): boolean => {
  const found = verdict(rule, schema, self, oldSelf);
  if (found.outcome === 'error' || found.outcome === 'exhausted') throw new Error(found.message);
  return found.outcome === 'holds';
};

const A = objectOf({ a: { type: 'integer' } });

describe('a rule that does not compile', () => {
  it('is told with the place where it ends', () => {
    expect(problemOf('self.a >', A)).toBe(
      "compilation failed: ERROR: <input>:1:9: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.a >\n | ........^",
    );
  });

  it('is told with the field that is not there', () => {
    expect(problemOf('self.b > 1', A)).toBe(
      "compilation failed: ERROR: <input>:1:5: undefined field 'b'\n | self.b > 1\n | ....^",
    );
  });

  it('is told when it is no condition', () => {
    expect(problemOf('self.a + 1', A)).toBe('cel expression must evaluate to a bool');
  });

  it.each([
    ["self.a == 'x'", "1:8: found no matching overload for '_==_' applied to '(int, string)'"],
    ['other > 1', "1:1: undeclared reference to 'other' (in container '')"],
    ['self.a.startsWith("x")', `1:18: found no matching overload for 'startsWith' applied to 'int.(string)'`],
    ['self.a.nothing()', "1:15: undeclared reference to 'nothing' (in container '')"],
    ["self.a in [1, 'x']", "1:15: expected type 'int' but found 'string'"],
    ['self.a.all(x, true)', "1:5: expression of type 'int' cannot be range of a comprehension"],
    ['has(self)', '1:5: invalid argument to has() macro'],
    ['self.a > 1 &&\n  self.c', "2:7: undefined field 'c'"],
  ])('%s', (rule, problem) => {
    expect(problemOf(rule, A)).toContain(`ERROR: <input>:${problem}`);
  });

  it('is told of its message too', () => {
    expect(problemOf({ rule: 'true', messageExpression: 'self.a' }, A)).toBe(
      'messageExpression must evaluate to a string',
    );
  });
});

describe('the message of a rule', () => {
  const rule = 'self.a > 1';

  it.each<[RuleSource, string]>([
    [{ rule }, 'failed rule: self.a > 1'],
    [{ rule, message: ' too small ' }, 'too small'],
    [{ rule, message: 'too small', messageExpression: "'a is ' + string(self.a)" }, 'a is 1'],
    [{ rule, message: 'too small', messageExpression: "'two\\nlines'" }, 'too small'],
    [{ rule, message: 'too small', messageExpression: "'x'.substring(5)" }, 'too small'],
  ])('%j', (source, message) => {
    expect(verdict(source, A, { a: 1 })).toEqual({ outcome: 'fails', message });
  });

  it('tells why a rule could not be evaluated', () => {
    const source = { rule: 'self.a <= 5', message: 'a is at most five' };
    const expected = { outcome: 'error', message: 'no such key: a evaluating rule: a is at most five' };
    expect(verdict(source, A, {})).toEqual(expected);
  });

  it('tells of a value of another type than the rule takes', () => {
    const port = objectOf({ port: { [names.intOrString]: true } as RuleSchema });
    expect(verdict('self.port > 5', port, { port: 'http' })).toMatchObject({
      outcome: 'error',
      message: expect.stringMatching(/^'no such overload': call arguments did not match/),
    });
    expect(holds('type(self.port) == int ? self.port > 5 : self.port.startsWith("h")', port, { port: 'http' })).toBe(
      true,
    );
  });
});

describe('fields', () => {
  it('are named by escapes where their names are no identifiers', () => {
    const schema = objectOf({
      'a.b': { type: 'integer' },
      'a-b': { type: 'integer' },
      'a/b': { type: 'integer' },
      a__b: { type: 'integer' },
      namespace: { type: 'integer' },
      __proto: { type: 'integer' },
      ['__proto__']: { type: 'integer' },
    });
    const self = JSON.parse('{"a.b":1,"a-b":2,"a/b":3,"a__b":4,"namespace":5,"__proto__":7}');
    const rule =
      'self.a__dot__b == 1 && self.a__dash__b == 2 && self.a__slash__b == 3 && self.a__underscores__b == 4 && self.__namespace__ == 5 && self.__underscores__proto__underscores__ == 7';
    expect(holds(rule, schema, self)).toBe(true);
    expect(holds('has(self.__underscores__proto__underscores__)', schema, {})).toBe(false);
  });

  it('that every object of the engine has are not there unless they are', () => {
    const schema = objectOf({ constructor: { type: 'string' }, toString: { type: 'string' } });
    expect(holds('has(self.constructor) || has(self.toString)', schema, {})).toBe(false);
    expect(verdict("self.constructor == ''", schema, {})).toMatchObject({
      message: expect.stringMatching(/^no such key/),
    });
  });

  it('of a resource are its kind and name, whatever the schema says', () => {
    const rule = "self.kind == 'X' && self.metadata.name == 'n' && self.apiVersion == 'v1'";
    const self = { kind: 'X', apiVersion: 'v1', metadata: { name: 'n' } };
    expect(compiled(rule, objectOf({}), true).evaluate(self, undefined, new Budget()).outcome).toBe('holds');
    expect(problemOf(rule, objectOf({}))).toContain("undefined field 'kind'");
  });

  it('that the schema does not declare cannot be named', () => {
    const schema = objectOf({ any: { 'x-preserve-unknown-fields': true } as RuleSchema });
    expect(problemOf('has(self.any)', schema)).toContain("undefined field 'any'");
  });

  it('that may be null can be compared with it', () => {
    const schema = objectOf({ s: { type: 'string', nullable: true } });
    expect(holds('self.s == null', schema, { s: null })).toBe(true);
    expect(verdict("self.s.startsWith('a')", schema, { s: null }).outcome).toBe('error');
  });
});

describe('values of a document', () => {
  it.each<[string, RuleSchema, unknown]>([
    ['self < 1.5 && self * 2.0 == 2.0', { type: 'number' }, 1],
    ['type(self) == double', { type: 'number' }, 1],
    ["self == timestamp('2020-01-01T00:00:00Z')", { type: 'string', format: 'date-time' }, '2020-01-01T01:00:00+01:00'],
    ['self.getFullYear() == 2020', { type: 'string', format: 'date' }, '2020-02-29'],
    ["self > duration('1h')", { type: 'string', format: 'duration' }, '61m'],
    ["self == b'abc'", { type: 'string', format: 'byte' }, 'YWJj'],
    ['self.sum() == 3.5', { type: 'array', items: { type: 'number' } }, [1, 2.5]],
    [
      'self.max() == timestamp("2021-01-01T00:00:00Z")',
      { type: 'array', items: { type: 'string', format: 'date' } },
      ['2021-01-01', '2020-01-01'],
    ],
    ['9007199254740993 in self.map(x, x + 1)', { type: 'array', items: { type: 'integer' } }, [9007199254740992]],
  ])('%s', (rule, schema, self) => {
    expect(holds(rule, schema, self)).toBe(true);
  });

  it('overflow as 64 bits do', () => {
    expect(verdict('self + 9223372036854775807 > 0', { type: 'integer' }, 1)).toMatchObject({
      message: 'integer overflow evaluating rule: self + 9223372036854775807 > 0',
    });
  });

  it('are left as they are', () => {
    const schema = objectOf({ l: { type: 'array', items: { type: 'number' }, [names.listType]: 'set' } as RuleSchema });
    const self = Object.freeze({ l: Object.freeze([1, 2]) });
    expect(holds('self.l + [3.0] == [3.0, 2.0, 1.0]', schema, self)).toBe(true);
    expect(JSON.stringify(self)).toBe('{"l":[1,2]}');
  });
});

describe('lists', () => {
  const set: RuleSchema = { type: 'array', items: { type: 'string' }, [names.listType]: 'set' } as RuleSchema;
  const keyed: RuleSchema = {
    type: 'array',
    items: objectOf({ k: { type: 'string' }, v: { type: 'integer' } }),
    [names.listType]: 'map',
    [names.listMapKeys]: ['k'],
  } as RuleSchema;
  const plain: RuleSchema = { type: 'array', items: { type: 'string' } };

  it('that are sets are equal in any order, and gain what they do not have', () => {
    expect(holds('self == oldSelf', set, ['a', 'b'], ['b', 'a'])).toBe(true);
    expect(holds('self == oldSelf', plain, ['a', 'b'], ['b', 'a'])).toBe(false);
    expect(holds('self + oldSelf == ["c", "b", "a"]', set, ['a', 'b'], ['b', 'c'])).toBe(true);
    expect(holds('(self + oldSelf).size() == 3', set, ['a', 'b'], ['b', 'c'])).toBe(true);
  });

  it('that are maps are equal in any order, and are merged by key', () => {
    const [a, b, c] = [
      { k: 'a', v: 1 },
      { k: 'b', v: 2 },
      { k: 'b', v: 3 },
    ];
    expect(holds('self == oldSelf', keyed, [a, b], [b, a])).toBe(true);
    expect(holds('self == oldSelf', keyed, [a, b], [c, a])).toBe(false);
    expect(holds('(self + oldSelf).map(x, x.v) == [1, 3]', keyed, [a, b], [c])).toBe(true);
  });

  it('inside of an object are compared as they are declared', () => {
    const schema = objectOf({ s: set });
    expect(holds('self == oldSelf', schema, { s: ['a', 'b'] }, { s: ['b', 'a'] })).toBe(true);
  });
});

describe('a rule about a change', () => {
  it('is known by its use of the old value', () => {
    expect(compiled('self.a >= oldSelf.a', A).usesOldSelf).toBe(true);
    expect(compiled('self.a >= 0', A).usesOldSelf).toBe(false);
    const list: RuleSchema = { type: 'array', items: { type: 'integer' } };
    expect(compiled('self.all(oldSelf, oldSelf > 0)', list).usesOldSelf).toBe(false);
  });

  it('may do without one', () => {
    const source = { rule: 'oldSelf.orValue(self).a == self.a', optionalOldSelf: true };
    expect(verdict(source, A, { a: 1 })).toEqual({ outcome: 'holds' });
    expect(verdict(source, A, { a: 1 }, { a: 1 })).toEqual({ outcome: 'holds' });
    expect(verdict(source, A, { a: 1 }, { a: 2 })).toMatchObject({ outcome: 'fails' });
  });
});

describe('the functions', () => {
  it.each([
    "url('https://u:p@a.b:80/x y?q=1&q=2').getHost() == 'a.b:80' && isURL('/x') && !isURL('x')",
    "url('https://[::1]:80/x?q=1').getHostname() == '::1' && url('http://h/%20').getEscapedPath() == '/%20'",
    "url('https://a/?k=1&k=2').getQuery()['k'] == ['1', '2'] && url('http://a:8080').getPort() == '8080'",
    "quantity('1.5Gi').isGreaterThan(quantity('1Gi')) && quantity('50m').add(quantity('50m')) == quantity('100m')",
    "quantity('200M').sub(1).asInteger() == 199999999 && !isQuantity('x') && quantity('-1').sign() == -1",
    "'abc 123'.find('[0-9]+') == '123' && '1,2'.findAll('[0-9]') == ['1', '2'] && '1,2'.findAll('[0-9]', 1) == ['1']",
    "[1, 2].isSorted() && ['b', 'a'].min() == 'a' && [1, 2, 1].lastIndexOf(1) == 2 && [duration('1s')].sum() == duration('1s')",
    "sets.contains([1, 2], [2]) && sets.intersects(['a'], ['a', 'b']) && sets.equivalent([1, 1], [1])",
    "format.dns1123Label().validate('a') == optional.none() && format.named('dns1123Label').value().validate('A').hasValue()",
    "!format.named('nothing').hasValue() && format.uuid().validate('x').hasValue()",
    "{'a': 1}.?a.orValue(0) == 1 && {'a': 1}[?'b'].orValue(0) == 0 && [?optional.none(), 1] == [1]",
  ])('%s', (rule) => {
    expect(verdict(rule, A, {})).toEqual({ outcome: 'holds' });
  });
});

describe('costs', () => {
  const nested = objectOf({
    list: { type: 'array', items: { type: 'array', items: { type: 'string' } } },
  });
  const rule = 'self.list.all(x, self.list.all(y, x == y))';

  it('are estimated from what the schema allows, and told with what drives them', () => {
    const { cost, drivers } = compiled(rule, nested).estimate;
    expect(cost).toBeGreaterThan(1e12);
    expect(drivers).toEqual(['self.list has no maxItems', 'self.list[] has no maxItems']);
  });

  it('shrink with every bound', () => {
    const bounded = objectOf({
      list: {
        type: 'array',
        maxItems: 10,
        items: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 5 } },
      },
    });
    const { cost, drivers } = compiled(rule, bounded).estimate;
    expect(cost).toBeLessThan(1_500);
    expect(drivers).toEqual([]);
  });

  it('that are over the limit are told with factor, estimate and cause', () => {
    const costs = new DefinitionCost();
    expect(costs.add('rule', compiled(rule, nested), 1)).toMatch(
      /^estimated rule cost exceeds budget by factor of more than 100x \(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared\): the estimate is \S+, the limit 10000000; self\.list has no maxItems, self\.list\[\] has no maxItems$/,
    );
    expect(costs.problems('root', 'x-validations')).toEqual([
      {
        path: 'rule',
        message: 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      },
      {
        path: 'root',
        message: expect.stringMatching(
          /^x-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x \(try/,
        ),
      },
    ]);
  });

  it('count for each value that a rule is asked of', () => {
    const costs = new DefinitionCost();
    const simple = compiled('self.a > 1', A);
    expect(costs.add('a', simple, 1_000_000)).toBeUndefined();
    expect(costs.total).toBe(3_000_000);
    expect(costs.add('b', simple, 4_000_000)).toMatch(/factor of 1\.200000x .* the estimate is 1\.20e\+7/);
    expect(costs.problems('root', 'x')).toEqual([]);
    expect(costs.add('c', simple, undefined)).toBeUndefined();
  });

  it('are the same whether a rule that holds is asked at once or not, and nothing where it does not', () => {
    const rule = compiled('self.a > 1', A);
    const [asked, atOnce] = [new Budget(), new Budget()];
    expect(rule.evaluate({ a: 2 }, undefined, asked)).toEqual({ outcome: 'holds' });
    expect(rule.holdsAtOnce({ a: 2 }, undefined, atOnce)).toBe(true);
    expect(atOnce.left).toBe(asked.left);
    expect(atOnce.left).toBeLessThan(OBJECT_LIMIT);
    for (const self of [{ a: 1 }, {}]) expect(rule.holdsAtOnce(self, undefined, atOnce)).toBe(false);
    expect(atOnce.left).toBe(asked.left);
    expect(rule.holdsAtOnce({ a: 2 }, undefined, new Budget(0))).toBe(false);
  });

  it('of what takes long are not spent at once', () => {
    const ints: RuleSchema = { type: 'array', items: { type: 'integer' } };
    const rule = compiled('self.all(x, x >= 0)', ints);
    const self = Array.from({ length: 10_000 }, (_, at) => at);
    const budget = new Budget();
    expect(rule.holdsAtOnce(self, undefined, budget)).toBe(false);
    expect(budget.left).toBe(OBJECT_LIMIT);
    expect(rule.evaluate(self, undefined, budget)).toEqual({ outcome: 'holds' });
  });

  it('of an evaluation are bounded, and of all for one object', () => {
    const ints: RuleSchema = { type: 'array', items: { type: 'integer' } };
    const slow = compiled('self.all(x, self.all(y, x + y >= 0))', ints);
    const self = Array.from({ length: 10_000 }, (_, at) => at);
    const budget = new Budget();
    const messages: string[] = [];
    for (let turn = 0; turn < 100; turn++) {
      const found = slow.evaluate(self, undefined, budget);
      if (found.outcome !== 'exhausted') throw new Error(found.outcome);
      messages.push(found.message);
    }
    expect(messages[0]).toContain('call cost exceeds limit for rule: self.all');
    expect(messages.filter((text) => text.includes('actual cost limit'))).toHaveLength(
      OBJECT_LIMIT / EVALUATION_LIMIT - 1,
    );
    expect(messages.at(-1)).toBe(
      'validation failed due to running out of cost budget, no further validation rules will be run',
    );
  });
});
