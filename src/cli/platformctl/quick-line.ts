// Built into two files (build.mjs), so that the commonest command loads little. `../platformctl.ts` loads them.
import { homedir } from 'node:os';
import { systemRuntime } from '../../runtime/runtime.ts';
import { QUICK } from './commands/quick.ts';
import type { Io } from './frame/io.ts';
import { chooseCommand, runLine } from './frame/run.ts';

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort());
// Whoever reads may stop reading, as `head` does; writes find out by themselves.
process.stdout.on('error', () => {});

const io: Io = {
  // Node opens it when it is asked for.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  get stderr() {
    return process.stderr;
  },
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  interrupted: interruption.signal,
};

// What `performance` needs takes Node several milliseconds to load.
const runtime = { ...systemRuntime, monotonic: () => process.uptime() * 1000 };

async function run(words: readonly string[]): Promise<number> {
  if (chooseCommand(words, QUICK)) return runLine(words, io, QUICK, runtime);
  const { runAnyLine } = await import('./any-line.ts');
  return runAnyLine(words, io, runtime);
}

// While a command only waits, for a time that a plane named or for an object, nothing else keeps the process.
const alive = setInterval(() => {}, 2 ** 31 - 1);
run(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code;
  })
  .finally(() => clearInterval(alive));
