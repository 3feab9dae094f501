// The long form of member-faults.test.ts: `npm run faults -- --minutes 30 [--seed 1] [--only "a slow disk"]`.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const child = spawn(process.execPath, [vitest, 'run', 'test/histories/member-faults.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, FAULT_MINUTES: values.minutes, FAULT_SEED: values.seed, FAULT_ONLY: values.only },
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
