// Bundles the server into a few files: loading hundreds of modules would take longer than everything else at start-up.
// What is loaded only when needed (stores, published schemas) stays in files of its own.

import { rm } from 'node:fs/promises';
import { build } from 'esbuild';

const outdir = 'dist';
await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: { index: 'src/index.ts', 'cli/platform-apiserver': 'src/cli/platform-apiserver.ts' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  legalComments: 'none',
  outdir,
});
