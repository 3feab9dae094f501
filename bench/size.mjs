/** `npm run figures` begins with it: what people download and keep, and what a client adds to a bundle. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What npm says it would publish, of what is built already. */
function packed() {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--silent'];
  const [{ size, unpackedSize, entryCount }] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }));
  return { size, unpackedSize, entryCount };
}

/** Bytes of a program that uses the client, as bundlers deliver it; what is loaded on demand alone counts too. */
async function clientBundle() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['dist/client/index.js'],
    ...{ bundle: true, minify: true, splitting: true, format: 'esm', platform: 'node', target: 'node20' },
    packages: 'external',
    write: false,
    outdir: 'unwritten',
  });
  return outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);
}

const kilobytes = (bytes) => `${Math.round(bytes / 1000).toLocaleString('en')} kB`;

const { size, unpackedSize, entryCount } = packed();
console.log(`package: ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} in ${entryCount} files`);
console.log(`client in a bundle: ${kilobytes(await clientBundle())}`);
