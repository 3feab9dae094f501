import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../src/cli/platformctl/commands/table.ts';
import { describeKubectl, Kubectl, type Run } from './support/kubectl.ts';
import { Platformctl } from './support/platformctl.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

const page = readFileSync(new URL('../docs/platformctl-compatibility.md', import.meta.url), 'utf8');
const [aboutKubectl = '', onlyHere = ''] = page.split('## Only here');

interface Row {
  readonly names: readonly string[];
  readonly here: string;
  readonly notes: string;
}

/** The rows of a table whose first cell names commands. */
const rowsIn = (text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [names = '', here = '', ...notes] = line.split('|').slice(1, -1);
      return {
        names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
        here: here.trim(),
        notes: notes.join('|').trim(),
      };
    });

const rows = rowsIn(aboutKubectl);
const there = rows.filter(({ here }) => here !== 'not there').flatMap(({ names }) => names);

/** Answered by the frame of the program, without a row in the table of commands. */
const OF_THE_FRAME: ReadonlySet<string> = new Set(['options']);

describe('the page about compatibility', () => {
  it('says of every command what becomes of it, and why where it is not there', () => {
    expect(rows.filter(({ here }) => !['same', 'better', 'not there'].includes(here))).toEqual([]);
    expect(rows.filter(({ here, notes }) => here !== 'same' && notes === '')).toEqual([]);
  });

  it('has every command that there is', () => {
    const known = new Set([...there, ...rowsIn(onlyHere).flatMap(({ names }) => names)]);
    expect(Object.keys(COMMANDS).filter((name) => !known.has(name))).toEqual([]);
  });

  it('promises no command that there is not', () => {
    const promised = [...there, ...rowsIn(onlyHere).flatMap(({ names }) => names)];
    const missing = promised.filter((name) => !Object.hasOwn(COMMANDS, name) && !OF_THE_FRAME.has(name));
    expect(missing).toEqual([]);
  });
});

/** Runs a line that talks with nobody. */
const run = (...words: string[]): Promise<Run> => new Platformctl('/nowhere', '/nowhere/config').run(words);

describe('a command that is not there', () => {
  it.each(rows.filter(({ here }) => here === 'not there').map(({ names: [name = ''] }) => name))(
    '%s says why, as the page does',
    async (name) => {
      const { code, stderr } = await run(...name.split(' '), 'anything');
      expect(code).toBe(1);
      const [, why = ''] = /^error: there is no command "\w+": (.*)\n/.exec(stderr) ?? [];
      expect(why).not.toBe('');
      const notes = rows.find(({ names }) => names.includes(name))?.notes.replaceAll('`', '') ?? '';
      expect(notes.toLowerCase().startsWith(`${why.toLowerCase()}.`)).toBe(true);
    },
  );

  it.each(['get', 'apply', 'delete', 'describe'])('%s -k says what to do instead', async (command) => {
    const { code, stderr } = await run(command, '-k', 'overlay');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: there is no -k: .*pipe the result to -f -$/m);
  });
});

/** Commands of commands, and those that are of no use on their own. */
const GROUPS: ReadonlySet<string> = new Set(['auth', 'certificate', 'config', 'plugin', 'rollout', 'set', 'top']);

describeKubectl('the page about compatibility', (program) => {
  it.runIf(program.minor >= 32)('has every command that kubectl lists', async () => {
    const directory = await makeDirectory();
    try {
      const kubectl = new Kubectl(program, directory, 'none');
      const listed = async (...words: string[]): Promise<string[]> => {
        const { stdout } = await kubectl.run([...words, '--help']);
        const [, commands = ''] = stdout.split(/Available Commands:|^Basic Commands/m);
        const [before = ''] = words.length === 0 ? [stdout] : commands.split(/^(?:Usage|Options):/m);
        return [...before.matchAll(/^ {2}([a-z][a-z-]+) {2,}\S/gm)].map(([, name = '']) => [...words, name].join(' '));
      };
      const known = new Set(rows.flatMap(({ names }) => names));
      const top = await listed();
      expect(top.length).toBeGreaterThan(35);
      expect(top.filter((name) => !known.has(name) && !GROUPS.has(name))).toEqual([]);
      const groups = [...GROUPS].map((name) => [name]);
      for (const words of [...groups, ['create', 'secret'], ['create', 'service'], ['apply'], ['cluster-info']]) {
        const below = await listed(...words);
        expect(below.length).toBeGreaterThan(0);
        expect(below.filter((name) => !known.has(name))).toEqual([]);
      }
    } finally {
      await removeDirectory(directory);
    }
  });
});
