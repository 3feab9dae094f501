// Bundles the server into a few files: loading hundreds of modules would take longer than everything else at start-up.
// What is loaded only when needed (stores, published schemas) stays in files of its own.

import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Writes the bundle to a folder inside the project, where its dependencies are found. */
export const bundle = (outdir) =>
  build({
    absWorkingDir: root,
    entryPoints: {
      index: 'src/index.ts',
      'cli/platform-apiserver': 'src/cli/platform-apiserver.ts',
      // A thread begins with a file of its own.
      'codec/yaml-thread-program': 'src/codec/yaml-thread-program.ts',
    },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    legalComments: 'none',
    outdir,
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await rm(new URL('dist', import.meta.url), { recursive: true, force: true });
  await bundle('dist');
}
