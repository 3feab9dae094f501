// The long form of pressure.test.ts: `npm run pressure [-- [shapes|declared|crowd] options]`. Options of shapes:
//   --only PATTERN   those whose names match
//   --size 0.5       of what a body may hold
//   --above MS       print those during which the loop worked for longer while someone waited
//   --memory MIB     what the server may use: `--memory-limit`, and three quarters of it for Node's heap
//   --from N         leave out so many
//   --minutes N      end after so long, and tell how far it got
//   --calm           in the background: leave the priorities of processes as they are
//   --profiles DIR   where the server leaves a profile of what it did

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
