import { describe, expect, it } from 'vitest';
import { list, optionalText } from '../../../settings/flag.ts';
import { alone, onOff, readLine, short } from './flags.ts';

const TABLE = {
  namespace: short('n', optionalText('namespace', 'NAME', '')),
  output: short('o', optionalText('output', 'FORMAT', '')),
  labels: short('L', list('label-columns', 'NAMES', [], '')),
  stdin: short('i', onOff('stdin', false, '')),
  tty: short('t', onOff('tty', false, '')),
  dryRun: alone('unchanged', optionalText('dry-run', 'none|server|client', '')),
};

const read = (text: string) => readLine(TABLE, text.split(' '));

describe('a line', () => {
  it.each([
    ['-n x', { namespace: 'x' }],
    ['-nx', { namespace: 'x' }],
    ['-n=x', { namespace: 'x' }],
    ['--namespace x', { namespace: 'x' }],
    ['--namespace=x=y', { namespace: 'x=y' }],
    ['-it', { stdin: true, tty: true }],
    ['-itn x', { stdin: true, tty: true, namespace: 'x' }],
    ['--tty=false', { tty: false }],
    ['-L a,b -L c', { labels: ['a', 'b', 'c'] }],
    ['--dry-run', { dryRun: 'unchanged' }],
    ['--dry-run=server', { dryRun: 'server' }],
  ])('is read (%s)', (text, flags) => {
    expect(read(text).flags).toMatchObject(flags);
  });

  it('has flags and arguments in any order, and what follows a dash untouched', () => {
    expect(read('exec -n x pod - -it -- ls -n')).toMatchObject({ args: ['exec', 'pod', '-'], afterDash: ['ls', '-n'] });
    expect(read('a').afterDash).toBeUndefined();
  });

  it('is told what was given, even with its default', () => {
    expect([...read('--tty=false').given]).toEqual(['tty']);
  });

  it.each([
    ['--nope', 'unknown flag: --nope'],
    ['-x', "unknown shorthand flag: 'x' in -x"],
    ['-ix', "unknown shorthand flag: 'x' in -ix"],
    ['-n', "flag needs an argument: 'n' in -n"],
    ['--namespace', 'flag needs an argument: --namespace'],
  ])('is refused (%s)', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
