import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Bundles a battery with a source broken as a mutation says, or whole, and gives its exports. Throws when the text that is
 * to be replaced is not there, or not once.
 */
export async function loadBattery(entry, mutation) {
  const [path, from, to] = mutation ?? [];
  const name = `${entry.replace(/\W/g, '-')}-${process.pid}-${counter++}`;
  const outfile = at(`../../node_modules/.cache/batteries/${name}.mjs`);
  const replace = {
    name: 'mutation',
    setup(build) {
      build.onLoad({ filter: /src.client.*\.ts$/ }, async (args) => {
        if (!path || !args.path.endsWith(path)) return undefined;
        const text = await readFile(args.path, 'utf8');
        if (text.split(from).length !== 2) throw new Error(`not once in ${path}: ${from}`);
        return { contents: text.replace(from, () => to), loader: 'ts' };
      });
    },
  };
  await build({
    entryPoints: [at(`../${entry}`)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins: [replace],
    logLevel: 'silent',
  });
  return import(/* @vite-ignore */ outfile);
}

let counter = 0;
