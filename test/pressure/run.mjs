// The long form of pressure.test.ts: `npm run pressure [-- --only PATTERN --size 1]`.

import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildIfChanged } from '../../build.mjs';

// The command that tests start.
await buildIfChanged('.cache/command', { declarations: false });

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const outfile = here('../../.cache/pressure.mjs');
await build({
  entryPoints: [here('long-form.ts')],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  define: { 'import.meta.url': JSON.stringify(new URL('long-form.ts', import.meta.url).href) },
});
const { run } = await import(outfile);
process.exitCode = await run(process.argv.slice(2));
