import { describe, expect, it } from 'vitest';
import { Problems } from './problems.ts';

describe('problems', () => {
  it('are told up to a thousand, and the last one says how many more there are', () => {
    const problems = new Problems();
    for (let at = 0; at < 1_234; at++) problems.required(`list[${at}]`);
    expect(problems.count).toBe(1_234);
    expect(problems.found).toHaveLength(1_001);
    expect(problems.found.at(-1)?.message).toBe('Too many problems: 234 more were found');
  });

  it('that quote a large value again and again are told a few times', () => {
    const problems = new Problems();
    let shown = 0;
    const large = {
      toJSON() {
        shown++;
        return 'x'.repeat(100_000);
      },
    };
    for (let at = 0; at < 500; at++) problems.invalid(`list[${at}]`, large);
    expect(shown).toBe(3);
    expect(problems.count).toBe(500);
    for (const { message } of problems.found) expect(message.length).toBeLessThan(21_000);
  });

  it('show the beginning of a long text', () => {
    const problems = new Problems();
    problems.invalid('data', 'é'.repeat(1_000_000), 'must be short');
    expect(problems.found[0]?.message).toMatch(/^Invalid value: "é{1023}… \(1000002 characters\): must be short$/);
  });
});
