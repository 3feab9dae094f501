// Bundles the server into a few files: loading hundreds of modules would take longer than everything else at start-up.
// What is loaded only when needed (stores, published schemas) stays in files of its own. An entry point loads the files that
// it uses and no others, so that nobody loads a server to ask one.
//
// `node build.mjs` writes dist/, `node build.mjs --if-changed` only when it was not made of the sources as they are.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildConsole, consoleSources } from './build-console.mjs';
import { declare } from './build-declarations.mjs';
import { buildFacts } from './build-facts.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

/** What is built is put together here, and takes its place when it is complete. */
const workshop = join(root, '.cache', 'build');

/** Holds the digest of what a folder was built of. Written last, so that a folder with it is complete. */
const STAMP = '.inputs';

const CONFIGURATION = [
  'build.mjs',
  'build-console.mjs',
  'build-declarations.mjs',
  'build-facts.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** Whoever was interrupted and left something in the workshop is not coming back after this long. */
const ABANDONED_MS = 3_600_000;

const OPTIONS = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  legalComments: 'none',
};

/**
 * Short commands would take longer to find many files than for all they do. Modules of the older kind are quicker to begin
 * with, and load the libraries that they name when they are reached.
 */
const COMMAND_LINE = {
  splitting: false,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  supported: { 'dynamic-import': false },
  minifySyntax: true,
  minifyWhitespace: true,
};

/** Each by itself: two of them have no file in common. Entry points of one bundle share what they have in common. */
const BUNDLES = {
  server: {
    entryPoints: {
      index: 'src/index.ts',
      'cli/platform-apiserver': 'src/cli/platform-apiserver.ts',
      // A plane of a test hands out clients, whose errors and kinds must be those that a program imports by itself.
      'testing/index': 'src/testing/index.ts',
      // Run here, and not part of the package.
      'testing/build-foundations': 'src/testing/build-foundations.ts',
      'client/index': 'src/client/index.ts',
      'cli/stand-ins/api-server': 'src/cli/stand-ins/api-server.ts',
      'cli/stand-ins/etcd': 'src/cli/stand-ins/etcd.ts',
      // A thread begins with a file of its own.
      'codec/yaml-thread-program': 'src/codec/yaml-thread-program.ts',
      'storage/scan-thread-program': 'src/storage/backends/lmdb/scan-thread-program.ts',
    },
  },
  platformctl: {
    ...COMMAND_LINE,
    entryPoints: { 'cli/platformctl': 'src/cli/platformctl.ts' },
    // A shell begins the file and has Node go on with it; to Node the line is a text. The option spares a tenth of a second:
    // without it Node reads all authorities that it knows as soon as it is told of one.
    banner: { js: '":" //; exec node --use-openssl-ca "$0" "$@"' },
  },
  'quick commands': {
    ...COMMAND_LINE,
    entryPoints: { 'cli/platformctl-quick': 'src/cli/platformctl/quick-line.ts' },
    plugins: [
      {
        name: 'other commands',
        setup: ({ onResolve }) =>
          onResolve({ filter: /\/any-line\.ts$/ }, () => ({ path: './platformctl-any-line.cjs', external: true })),
      },
    ],
  },
  'other commands': {
    ...COMMAND_LINE,
    entryPoints: { 'cli/platformctl-any-line': 'src/cli/platformctl/any-line.ts' },
  },
  schema: {
    entryPoints: { 'schema/index': 'src/schema/index.ts' },
    chunkNames: 'schema/[name]-[hash]',
  },
};

/** What programs import, so that the types behind it are published. */
const ENTRY_POINTS = ['index', 'client/index', 'testing/index', 'schema/index'];

/** Executables under the names of others, which tools start that insist on doing so themselves, and what each runs. */
const STAND_INS = { 'kube-apiserver': 'api-server', etcd: 'etcd' };

/**
 * Makes `outdir`, a folder inside the project, where dependencies are found: the bundles, and `declarations` of its types
 * if they are wanted. Builders do not disturb each other, and a build that is interrupted leaves `outdir` as it was.
 */
export async function build(outdir, { declarations = true } = {}) {
  const digest = digestOfInputs(declarations);
  const fresh = join(workshop, `${process.pid}-${performance.now()}`);
  await removeAbandoned();
  await mkdir(fresh, { recursive: true });
  try {
    const esbuild = await import('esbuild');
    const define = { BUILD_FACTS: JSON.stringify(buildFacts(root)) };
    const bundling = Object.values(BUNDLES).map((bundle) =>
      esbuild.build({ ...OPTIONS, ...bundle, define, absWorkingDir: root, outdir: fresh }),
    );
    await Promise.all([...bundling, buildConsole(join(fresh, 'console'))]);
    await writeStandIns(join(fresh, 'stand-ins'));
    await writeFoundations(fresh);
    if (declarations) await declare(root, fresh, ENTRY_POINTS);
    await writeFile(join(fresh, STAMP), digest);
    await replace(resolve(root, outdir), fresh);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Makes `outdir` unless it is what `build` would make of the files as they are; whether it did. */
export async function buildIfChanged(outdir, { declarations = true } = {}) {
  if (textOf(resolve(root, outdir, STAMP)) === digestOfInputs(declarations)) return false;
  await build(outdir, { declarations });
  return true;
}

/**
 * Of names and contents, not of times: a file that is deleted, renamed or put back with an old date counts, one that is
 * only touched does not. Whatever else should go into the bundles must be in OPTIONS, BUNDLES, ENTRY_POINTS or STAND_INS, so that it counts too.
 */
function digestOfInputs(declarations) {
  const { commit, treeState } = buildFacts(root);
  const hash = createHash('sha256').update(
    JSON.stringify([OPTIONS, BUNDLES, ENTRY_POINTS, STAND_INS, declarations, commit, treeState]),
  );
  for (const file of [...CONFIGURATION, ...sources(), ...consoleSources()]) {
    const text = textOf(join(root, file));
    hash.update(`\0${file}\0${text?.length ?? 'absent'}\0`).update(text ?? '');
  }
  return hash.digest('hex');
}

function sources() {
  return readdirSync(join(root, 'src'), { recursive: true })
    .filter((name) => name.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(name))
    .map((name) => join('src', name))
    .sort();
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Their names have no extension, so the folder says what language they are in. */
async function writeStandIns(folder) {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  for (const [name, program] of Object.entries(STAND_INS)) {
    const text = `#!/usr/bin/env node\nimport('../cli/stand-ins/${program}.js');\n`;
    await writeFile(join(folder, name), text, { mode: 0o755 });
  }
}

/** They take a second or two. */
const LONGEST_FOUNDATIONS_MS = 120_000;

/** What test planes begin with: it takes longer to make than to read. */
async function writeFoundations(folder) {
  const program = join(folder, 'testing', 'build-foundations.js');
  const options = { timeout: LONGEST_FOUNDATIONS_MS };
  await promisify(execFile)(process.execPath, [program, join(folder, 'testing', 'foundations')], options);
  await rm(program);
}

/** Puts `fresh` where `outdir` is. Another builder may do the same at the same time: the last one stays. */
async function replace(outdir, fresh) {
  const former = `${fresh}-former`;
  for (let attempt = 1; ; attempt++) {
    await rename(outdir, former).catch((error) => {
      if (error.code !== 'ENOENT') throw error;
    });
    try {
      await mkdir(resolve(outdir, '..'), { recursive: true });
      await rename(fresh, outdir);
      return;
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code) || attempt === 10) throw error;
    } finally {
      await rm(former, { recursive: true, force: true });
    }
  }
}

async function removeAbandoned() {
  for (const name of await readdir(workshop).catch(() => [])) {
    const path = join(workshop, name);
    const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (since !== undefined && Date.now() - since > ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await (process.argv.includes('--if-changed') ? buildIfChanged('dist') : build('dist'));
  } catch (error) {
    // What esbuild has to say it has said already.
    if (!error.errors) console.error(error.message);
    process.exitCode = 1;
  }
}
