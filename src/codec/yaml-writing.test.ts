import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readYaml } from './yaml-text.ts';
import { writeYaml } from './yaml-writing.ts';

const WORDS =
  'y n Yes OFF on 012 0o12 0O7 0X1F 0b1 -0b11 1_0 +7 1e3 1. .5 .5_0 .inf .NaN ~ null NULL << = 22:22 2001-01-01 +0x1F ' +
  '08 0_7 1_000.5 0o_7 _1 - --- ... ! !x & *a # % @ ` { [ a:b ? | > 0x 1.2.3 9007199254740993';

/** Words that readers may take for something else, among any others. */
const text = fc.oneof(fc.constantFrom('', ' y', 'a\n', '\n', '\ufeff', 'x: y', ...WORDS.split(' ')), fc.string());
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

describe('YAML that is written', () => {
  it.each(WORDS.split(' '))('has %s as a text, wherever it is', async (word) => {
    const object = { value: word, [word]: [word] };
    const written = await writeYaml(object);
    expect((await readYaml(written, { deepest: 200 })).value).toEqual(object);
    expect(parse(written, { version: '1.1' })).toEqual(object);
    expect(parse(written)).toEqual(object);
  });

  it('is read as what it was', async () => {
    await fc.assert(
      fc.asyncProperty(value, async (any) => {
        expect((await readYaml(await writeYaml(any), { deepest: 200 })).value).toEqual(any);
      }),
    );
  });
});
