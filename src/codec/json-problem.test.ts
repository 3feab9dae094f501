import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonProblem } from './json-problem.ts';

const END = 'unexpected end of JSON input';

describe('what is wrong with text that is no JSON', () => {
  it.each([
    ['', END],
    ['  \n', END],
    ['{"a": {"b": "x"', END],
    ['["a', END],
    ['["a\\', END],
    ['{"a": "\\u12', END],
    ['tru', END],
    ['{"a":1', END],
    ['revision: 5', "invalid character 'r' looking for beginning of value"],
    ['{a: 1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['[1 2]', "invalid character '2' after array element"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{} {}', "invalid character '{' after top-level value"],
    ['["a\nb"]', "invalid character '\\n' in string literal"],
    ['["\\x"]', "invalid character 'x' in string escape code"],
    ['[nule]', "invalid character 'e' in literal null (expecting 'l')"],
    ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
    ['[01]', "invalid character '1' after array element"],
  ])('%j: %s', (text, problem) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(jsonProblem(text)).toBe(problem);
  });

  it('is looked for no further than is worth it', () => {
    expect(jsonProblem('1,'.repeat(300_000))).toBe("invalid character ',' after top-level value");
    expect(jsonProblem(`[${'1,'.repeat(300_000)}x]`)).toBe('invalid character after the first 262144');
    expect(jsonProblem(`["${'x'.repeat(3_000_000)}`)).toBe(END);
  });

  it('is found in any text, and shows one character of it at most', () => {
    const broken = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', '}', ']', ',', '"', ':', 'x', '\\', '\u0000'));
    fc.assert(
      fc.property(broken, ([json, at, extra]) => {
        const cut = at % (json.length + 1);
        const text = `${json.slice(0, cut)}${extra}${json.slice(cut + 1)}`;
        const problem = jsonProblem(text);
        expect(problem).toMatch(/^(unexpected end of JSON input$|invalid character '.{1,6}' [a-z])/u);
      }),
    );
  });
});
