/**
 * Many tests with a plane each in one vitest run, in one process: `npm run many-planes [-- TESTS]`. Prints how long they took,
 * how much memory was held on the way, and what was left open. It fails when a test does, when more is held at the end
 * than a plane may leave, or when a port or connection stays open.
 */
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tests = Number(process.argv[2] ?? 500);
if (!Number.isInteger(tests) || tests < 10 || tests > 100_000) {
  console.error('usage: npm run many-planes [-- TESTS], from 10 to 100000');
  process.exit(2);
}

const began = performance.now();
const [loadBefore = 0] = loadavg();
const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/testing/five-hundred-planes.config.ts'];
const run = spawn(process.execPath, args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PLANES: String(tests) },
});
run.once('error', (error) => {
  throw error;
});
run.once('exit', (code, signal) => {
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const [load = 0] = loadavg();
  console.log(`${tests} tests with a plane each: ${seconds} s, load ${loadBefore.toFixed(1)} to ${load.toFixed(1)}`);
  process.exitCode = code ?? (signal ? 1 : 0);
});
