import { expect, it } from 'vitest';
import { alignTabs } from './tab-alignment.ts';

it.each([
  ['cells of neighbouring lines get the width of the widest', 'a:\t1\nbcd:\t2\n', 'a:    1\nbcd:  2\n'],
  ['a line without the column begins another one', 'a:\t1\n--\nbcd:\t2\n', 'a:  1\n--\nbcd:  2\n'],
  ['what follows the last tab belongs to no column', 'a\tlong text\nb\tc\n', 'a  long text\nb  c\n'],
  ['a column that is empty has room all the same', 'a\t\tx\n', 'a    x\n'],
  ['characters are counted, not their parts', '😀:\t1\nab:\t2\n', '😀:   1\nab:  2\n'],
])('%s', (_, text, aligned) => {
  expect(alignTabs(text)).toBe(aligned);
});
