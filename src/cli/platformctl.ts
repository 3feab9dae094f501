#!/usr/bin/env node
import { homedir } from 'node:os';
import { runLine } from './platformctl/frame/run.ts';

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort());
// Whoever reads may stop reading, as `head` does; writes find out by themselves.
process.stdout.on('error', () => {});

// While a command only waits, for a time that a plane named or for an object, nothing else keeps the process.
const alive = setInterval(() => {}, 2 ** 31 - 1);
process.exitCode = await runLine(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  interrupted: interruption.signal,
});
clearInterval(alive);
