// Builds the console: files for browsers, compressed once, with a manifest of what they are. Nothing of it runs in the
// server, so it is built anew only when it has changed itself, and copied otherwise.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Builds by the digests of what they were made of. */
const SHELF = join(root, '.cache', 'console');

const CONFIGURATION = ['build-console.mjs', 'package-lock.json', 'tsconfig.json'];

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Files of the console's own, by their names from the root of the project. */
export function consoleSources() {
  return readdirSync(join(root, 'console'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length))
    .sort();
}

/** Puts the built console into `folder`, which must not be there yet. */
export async function buildConsole(folder) {
  const shelved = join(SHELF, digestOfConsole());
  const isThere = await readFile(join(shelved, 'manifest.json')).catch(() => undefined);
  if (!isThere) await shelve(shelved);
  await cp(shelved, folder, { recursive: true });
}

function digestOfConsole() {
  const hash = createHash('sha256');
  for (const file of [...CONFIGURATION, ...consoleSources()]) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex').slice(0, 32);
}

/** Only the newest build stays. Whoever builds at the same time makes the same, and the first is kept. */
async function shelve(shelved) {
  const fresh = `${shelved}-${process.pid}-${performance.now()}`;
  try {
    const { build } = await import('vite');
    await build({ configFile: join(root, 'console', 'vite.config.ts'), build: { outDir: `${fresh}/plain` } });
    await compressAll(`${fresh}/plain`, `${fresh}/compressed`);
    await mkdir(SHELF, { recursive: true });
    await rename(`${fresh}/compressed`, shelved).catch((error) => {
      if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code)) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  for (const name of await readdir(SHELF)) {
    if (/^[0-9a-f]{32}$/.test(name) && join(SHELF, name) !== shelved)
      await rm(join(SHELF, name), { recursive: true, force: true });
  }
}

async function compressAll(from, to) {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const files = {};
  for (const entry of entries.filter((one) => one.isFile())) {
    const name = join(entry.parentPath, entry.name).slice(from.length + 1);
    const type = TYPES[extname(name)];
    if (!type) throw new Error(`the console is not to have a file ${name}`);
    const bytes = await readFile(join(from, name));
    const target = join(to, `${name}.gz`);
    await mkdir(join(target, '..'), { recursive: true });
    await writeFile(target, await promisify(gzip)(bytes, { level: 9 }));
    files[name] = { type };
  }
  await writeFile(join(to, 'manifest.json'), `${JSON.stringify({ files }, undefined, 1)}\n`);
}
