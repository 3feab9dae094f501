import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Parts of the server that it does not give out, by what an entry file would say. */
export async function loadParts(name, contents) {
  const directory = `${root}node_modules/.cache/bench-${name}-${process.pid}`;
  mkdirSync(directory, { recursive: true });
  const outfile = `${directory}/${name}.mjs`;
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
