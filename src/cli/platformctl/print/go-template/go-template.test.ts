import { describe, expect, it } from 'vitest';
import { goTemplatePrinter } from './print.ts';

const OBJECT = { apiVersion: 'v1', kind: 'A', list: ['x', 'y'], map: { b: 2, a: 1 }, nothing: null };

const text = (template: string, allowMissing = true): string =>
  goTemplatePrinter(template, allowMissing).textOf(OBJECT, 0);

describe('a template', () => {
  it.each([
    ['{{range $k, $v := .map}}{{$k}}{{$v}} {{end}}', 'a1 b2 '],
    ['{{range .list}}{{if eq . "y"}}{{continue}}{{end}}{{.}}{{end}}', 'x'],
    ['{{range 3}}{{.}}{{end}}', '012'],
    ['{{with $x := .kind}}{{$x}}{{else}}none{{end}}', 'A'],
    ['{{with .none}}a{{else with .kind}}{{.}}{{end}}', 'A'],
    ['{{.none}} {{.none.deeper}} {{.nothing}}', '<no value> <no value> <no value>'],
    ['{{"a" | printf "%s-%s" "b"}}', 'b-a'],
    ['{{printf "%d" "a"}} {{printf "%s"}} {{printf "x" 1}}', '%!d(string=a) %!s(MISSING) x%!(EXTRA int64=1)'],
    ['{{(index .list 1)}} {{len .map}} {{not .none}}', 'y 2 true'],
    ['{{define "a"}}{{$}}{{end}}{{template "a" 7}}', '7'],
    ['{{`raw \\n`}} {{"\\u00e9"}} {{\'a\'}}', 'raw \\n é 97'],
  ])('%s prints %j', (template, printed) => {
    expect(text(template)).toBe(printed);
  });

  it.each([
    ['{{define "a"}}{{template "a"}}{{end}}{{template "a"}}', 'exceeded maximum template depth'],
    ['{{range 1000000000}}x{{end}}', 'too many steps'],
    ['{{range 4000}}{{range 4000}}{{end}}{{end}}', 'too many steps'],
    [`{{range 10000}}${'x'.repeat(10_000)}{{end}}`, 'prints too much'],
    [`${'{{if 1}}'.repeat(300)}`, 'more than 200 blocks'],
    [`{{${'('.repeat(300)}1}}`, 'more than 200 parentheses'],
    ['{{index .list 9}}', 'index out of range'],
    ['{{lt 1 "a"}}', 'incompatible types'],
    ['{{template "none"}}', 'template "none" not defined'],
    ['{{.kind.deeper}}', "can't evaluate field deeper"],
    ['{{constructor}}', 'function "constructor" not defined'],
  ])('%s is stopped', (template, message) => {
    expect(() => text(template)).toThrow(message);
  });

  it('does not pass over what is missing where that is asked for', () => {
    expect(() => text('{{.none}}', false)).toThrow('map has no entry for key "none"');
  });

  it('finds nothing that is not in the object', () => {
    expect(text('{{.constructor}} {{.map.__proto__}}')).toBe('<no value> <no value>');
  });
});
