import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Where a declaration names another file, in a list of names or amid a type. */
const FROM = /(?:\bfrom |\bimport\()['"](\.[^'"]+)\.ts['"]/g;

/** Declares the types of the sources in `outdir`: of what the entry points lead to, and of nothing else. */
export async function declare(root, outdir, entryPoints) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', outdir];
  await promisify(execFile)(process.execPath, args, { cwd: root }).catch((error) => {
    throw new Error(`no declarations could be made of the sources\n${error.stdout}${error.stderr}`);
  });
  const reached = await reachedFrom(entryPoints.map((name) => join(outdir, `${name}.d.ts`)));
  const files = (await readdir(outdir, { recursive: true })).filter((name) => name.endsWith('.d.ts'));
  const unreached = files.map((name) => join(outdir, name)).filter((file) => !reached.has(file));
  await Promise.all(unreached.map((file) => rm(file)));
}

async function reachedFrom(files) {
  const reached = new Set(files);
  for (const file of reached) {
    for (const [, name] of (await readFile(file, 'utf8')).matchAll(FROM)) {
      const target = join(dirname(file), `${name}.d.ts`);
      if (existsSync(target)) reached.add(target);
    }
  }
  return reached;
}
