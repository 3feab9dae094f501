import { readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyCheckout } from './support/checkout.ts';
import { havePeer, type KubectlProgram, kubectlPrograms } from './support/peers.ts';
import { type Example, examplesOf } from './support/readme.ts';
import { removeDirectory } from './support/temporary-directory.ts';
import { TERMINAL_PATIENCE_MS, Terminal } from './support/terminal.ts';

/**
 * Somebody goes through the README from the top and runs everything as it is written, in a copy of this checkout: what
 * stays in the foreground in a terminal of its own, everything else in one other terminal. One thing is changed: all
 * ports are moved by the same distance to where nobody listens. The first test is written in a project of its own, for which
 * nothing is downloaded: what the registry would give is there already.
 */

const read = (name: string): string => readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8');
const examples = examplesOf(read('README.md'));
const sections = [...new Set(examples.map(({ section }) => section))];

/** What is printed, beside that the command succeeds, by what is in the command. */
const EXPECTED: readonly (readonly [command: RegExp, printed: RegExp])[] = [
  [/npm start.*--help/, /^ {2}--secure-port=/m],
  [/npm start/, /platform-apiserver is ready at https:\S+\n/],
  [/^curl [\s\S]*\/namespaces$/, /"kind": ?"NamespaceList"/],
  [/create deployment web/, /^deployment\.apps\/web created$/m],
  [/get deployments --watch/, /^web +0\/1 /m],
  [/snapshot save/, /saved \d+ objects[\s\S]*the checksum is right[\s\S]*restored \d+ objects/],
  [/get configmap hello/, /^configmap\/hello created[\s\S]*^hello +1 /m],
  [/migrate --to=etcd/, /copied \d+ objects to etcd/],
  [/vitest run/, /Tests .*1 passed/],
];

const needsKubectl = ({ text }: Example): boolean => /^kubectl /m.test(text);
const needsEtcd = ({ text }: Example): boolean => /^ *etcd |ETCD/m.test(text);
const staysInForeground = ({ text }: Example): boolean => /npm start(?!.*--help)|--watch$/.test(text);
/** Belongs to the project in which a reader writes a first test. */
const isOfFirstTest = ({ text }: Example): boolean => /--install-links|from 'vitest'|^npx vitest/m.test(text);
/** Who runs this file has done so, and would never come to an end doing so again. */
const isThisRun = ({ text }: Example): boolean => /\bnpm test\b/.test(text);

const kubectls = kubectlPrograms();
const have = { etcd: havePeer('etcd', '--version'), curl: havePeer('curl', '--version') };

let directory: string;
let home: string;
let distance: number;
let main: Terminal;
const terminals: Terminal[] = [];

/** PATH with this Node in front, and the kubectl of this version. */
const pathWith = (version: string): string =>
  [join(home, version), dirname(process.execPath), process.env.PATH].join(delimiter);

function open(): Terminal {
  const offline = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_update_notifier: 'false' };
  const terminal = new Terminal(directory, { PATH: pathWith(kubectls[0]?.version ?? 'none'), HOME: home, ...offline });
  terminals.push(terminal);
  return terminal;
}

beforeAll(async () => {
  directory = await copyCheckout();
  home = join(directory, '.home');
  for (const { version, path } of kubectls) {
    await mkdir(join(home, version), { recursive: true });
    await symlink(path, join(home, version, 'kubectl'));
  }
  distance = await freeDistance();
  main = open();
});

afterAll(async () => {
  await Promise.all(terminals.map((terminal) => terminal.close()));
  await removeDirectory(directory);
});

/** Inside the copy of the checkout, where the runner and what the package depends on are found. */
const PROJECT = 'first';

async function executeInProject({ text, language }: Example): Promise<void> {
  const project = join(directory, PROJECT);
  const inProject = (commands: string): Promise<string> => main.run(`(set -e; cd ${PROJECT}; ${commands})`);
  if (language === 'ts') {
    await writeFile(join(project, 'contacts.test.ts'), text);
  } else if (!text.includes('--install-links')) {
    expect(await inProject(text)).toMatch(expectedOf({ text, language, section: '' }));
  } else {
    await mkdir(join(project, 'node_modules', 'platform-apiserver'), { recursive: true });
    // Otherwise the runner would take the settings of the folder above.
    await writeFile(join(project, 'vitest.config.ts'), 'export default { test: { testTimeout: 60_000 } };');
    const lines = text.replaceAll('../platform-apiserver', '..').split('\n');
    const [installing, ...before] = [lines.at(-1), ...lines.slice(0, -1)];
    expect(installing).toBe('npm install --save-dev --install-links vitest ..');
    const unpack = 'tar -xzf platform-apiserver-*.tgz --strip-components=1 -C node_modules/platform-apiserver';
    await inProject([...before, 'npm pack --silent ..', unpack].join('\n'));
  }
}

const DEFAULT_PORT = 6443;
const PORT = /\b\d{4}\b/g;

/** Each of the ports, and each after one of them, is free when moved by it, and none is one that the system gives out. */
async function freeDistance(): Promise<number> {
  const written = examples.flatMap(({ text }) => [...text.matchAll(PORT)].map(([port]) => Number(port)));
  const ports = [...new Set([DEFAULT_PORT, ...written].flatMap((port) => [port, port + 1]))];
  for (let attempt = 0; attempt < 50; attempt++) {
    const candidate = 10_000 + Math.floor(Math.random() * 12_000);
    const free = await Promise.all(ports.map((port) => isFree(port + candidate)));
    if (free.every(Boolean)) return candidate;
  }
  throw new Error('no ports are free');
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

function moved(text: string): string {
  const ported = text.replace(PORT, (port) => String(Number(port) + distance));
  if (!/npm start(?!.*--(?:secure-port|help))/.test(ported)) return ported;
  return ported.replace(/npm start( --)?/, `npm start -- --secure-port=${DEFAULT_PORT + distance}`);
}

const expectedOf = ({ text }: Example): RegExp => EXPECTED.find(([command]) => command.test(text))?.[1] ?? /^/;

async function execute(example: Example): Promise<void> {
  const expected = expectedOf(example);
  if (staysInForeground(example)) await open().follow(moved(example.text), expected);
  else expect(await main.run(moved(example.text))).toMatch(expected);
}

/** Once with each kubectl. What was created is deleted before the next one comes. */
async function executeWithEach(example: Example, programs: readonly KubectlProgram[]): Promise<void> {
  for (const { version } of programs) {
    await main.run(`PATH='${pathWith(version)}'`);
    await execute(example);
    if (version === programs.at(-1)?.version) return;
    for (const [, config, kind, name] of example.text.matchAll(/^kubectl --kubeconfig (\S+) create (\S+) (\S+)/gm)) {
      await main.run(`kubectl --kubeconfig ${config} delete ${kind} ${name}`);
    }
  }
}

describe.each(sections)('README: %s', { timeout: 3 * TERMINAL_PATIENCE_MS }, (section) => {
  for (const example of examples.filter((one) => one.section === section)) {
    const title = example.text.split('\n')[0] ?? '';
    const unable =
      (needsKubectl(example) && kubectls.length === 0) ||
      (needsEtcd(example) && !have.etcd) ||
      (/^(?:until )?curl /m.test(example.text) && !have.curl) ||
      // The kubectl of the etcd walk needs its servers.
      (/ [ab]\/admin\.conf/.test(example.text) && !(have.etcd && have.curl));

    if (isThisRun(example)) {
      it(`${title} (what the checks before every merge run)`, () => {
        expect(read('.ci/run').split('\n')).toContain(example.text);
      });
    } else if (isOfFirstTest(example)) {
      it(title, () => executeInProject(example));
    } else if (example.language === 'ts') {
      it(title, async () => {
        const { code } = await transform(moved(example.text), { loader: 'ts', target: 'node20' });
        await writeFile(join(directory, 'example.mjs'), code);
        await main.run('node example.mjs');
      });
    } else if (needsKubectl(example) && !staysInForeground(example)) {
      it.skipIf(unable)(title, () => executeWithEach(example, kubectls));
    } else {
      it.skipIf(unable)(title, () => execute(example));
    }
  }
});
