import { expect, it } from 'vitest';
import { textLine } from './text-line.ts';

const time = '2026-01-02T03:04:05.678Z';
const line = (fields: object): string => textLine(JSON.stringify({ level: 'info', time, ...fields, msg: 'request' }));

it('is time, level, message and the fields in their order', () => {
  expect(line({ method: 'GET', path: '/api?x=1', status: 200, user: 'a b', none: null })).toBe(
    `${time} info  request method=GET path=/api?x=1 status=200 user="a b"\n`,
  );
});

it.each([
  ['a line break', 'a\nlevel=error', String.raw`"a\nlevel=error"`],
  ['a control sequence', 'a\u001b[31m', String.raw`"a\u001b[31m"`],
  ['controls beyond ASCII', 'a\u009b\u007f', String.raw`"a\u009b\u007f"`],
  ['text that turns its direction', 'a\u202eb', String.raw`"a\u202eb"`],
  ['a separator of lines', 'a\u2028b', String.raw`"a\u2028b"`],
  ['quotes', 'a"b=c', String.raw`"a\"b=c"`],
  ['an empty list', [], '"[]"'],
])('stays on its line with %s', (_what, agent, shown) => {
  expect(line({ agent })).toBe(`${time} info  request agent=${shown}\n`.replace('"[]"', '[]'));
});

it('shows the message of an error, and of a defect the calls that led to it', () => {
  const err = {
    type: 'Error',
    message: 'no such thing',
    stack: 'Error: no such thing\n    at one (a.ts:1)\n    at two (b.ts:2)',
  };
  expect(line({ err })).toBe(`${time} info  request error="no such thing"\n`);
  expect(textLine(JSON.stringify({ level: 'error', time, err, msg: 'a defect' }))).toBe(
    `${time} error a defect error="no such thing"\n    at one (a.ts:1)\n    at two (b.ts:2)\n`,
  );
});
