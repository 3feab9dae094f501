import { describe, expect, it } from 'vitest';
import { readConfigurationDocument } from './configuration-fields.ts';

const HEAD = 'kind: K\napiVersion: v1\n';
const read = (more: string) => readConfigurationDocument(`${HEAD}${more}`, { kind: 'K', apiVersions: ['v1'] });

/** Each list has the one before nine times. */
const doubling = Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]\n`).join('');

describe('a configuration document', () => {
  it('is read', async () => {
    expect((await read('a: b\n')).has('a')).toBe(true);
  });

  it.each([
    ['is very long', `# ${'x'.repeat(1 << 20)}`, 'longer than'],
    ['has very many values', `a: [${'1,'.repeat(400_000)}]`, 'more than 10000'],
    ['is all comments', '#\n'.repeat(400_000), 'more than 201000'],
    ['nests very deep', `a: ${'['.repeat(100_000)}`, 'deeper than 32'],
    ['contains itself', 'a: &a [*a]', 'contains itself'],
    ['contains itself by way of another', 'a: &a {b: &b {c: *a}}', 'contains itself'],
    ['grows by references', `a0: &a0 [x]\n${doubling}`, 'excessive aliasing'],
    ['is something else', '- a\n', 'not valid YAML'],
    ['says something twice', 'a: b\na: c\n', 'a stands there twice'],
  ])('that %s is refused', async (_what, text, problem) => {
    await expect(read(text)).rejects.toThrow(problem);
  });
});
