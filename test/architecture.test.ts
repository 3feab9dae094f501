import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** The stages of a request in order: each may use those after it, never those before. */
const STAGES = [
  'cli',
  'server',
  'http',
  'request',
  'authentication',
  'authorization',
  'flow',
  'admission',
  'handlers',
  'kinds',
  'registry',
  'storage',
];

/** Usable by all; they use only each other. */
const PURE = [
  'schema',
  'meta',
  'cel',
  'codec',
  'selectors',
  'apply',
  'objects',
  'patch',
  'pki',
  'api',
  'vocabulary',
  'runtime',
  'bounds',
  'settings',
  'features',
];

/** What a stage may use besides the stages after it and the pure parts, and why. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  // The listener hands its messages down the whole path: their types belong to all stages.
  request: ['http'],
  authentication: ['http', 'request', 'outbound'],
  authorization: ['http', 'request', 'kinds', 'registry', 'outbound'],
  // Webhooks are called over the network, and what they do is counted.
  admission: ['outbound', 'observe/metrics'],
  // What waits is counted as it waits.
  flow: ['http', 'request', 'observe/metrics'],
  handlers: ['http', 'request', 'outbound'],
  // Asks all of those who decide and keep; what it finds out is given as answers to posted questions.
  explain: [
    'http',
    'request',
    'authorization',
    'flow',
    'admission',
    'handlers',
    'kinds',
    'registry',
    'storage',
    'observe/metrics',
    // What it remembers of a request is what a line of the log would tell.
    'observe/logging',
  ],
  // Files for everyone, and a way to log in: it answers before anybody is asked who they are.
  console: ['http', 'authentication'],
  discovery: ['http', 'request', 'handlers', 'kinds', 'registry'],
  // Watches the path of requests from outside.
  observe: ['http', 'request', 'observe'],
  'observe/audit': ['http', 'request', 'kinds', 'registry', 'outbound'],
  // A line tells of a request and its answer.
  'observe/logging': ['http', 'request'],
  'observe/metrics': ['http', 'request', 'handlers', 'registry', 'storage'],
  // Kinds that users define are made of their definitions, which are objects of a built-in kind; webhooks convert them.
  extension: ['kinds', 'registry', 'outbound'],
  // A certificate request is read to see whether it is one. `pki` is a leaf: it uses nothing but time and errors.
  kinds: ['pki'],
  // A plane may be reached over the network, where client configurations say. Kinds give types, and nothing at run time.
  client: ['outbound', 'kinds'],
  // Loops that run in a process of their own are told where the plane is. The loop that keeps quotas and the plugin that charges them work on one account. What loops do is counted. What is
  // found out about definitions of custom kinds is with those kinds.
  controllers: [
    'client',
    'outbound',
    'kinds',
    'registry',
    'storage',
    'flow',
    'admission/resource-quota',
    'extension/definitions',
    // What is found out about APIServices is with the versions that they stand for.
    'extension/aggregation',
    'observe/metrics',
  ],
};

/** Folders whose folders are parts of their own. */
const GROUPS: ReadonlySet<string> = new Set(['observe']);

const folderOf = (file: string): string => {
  const [first = '', second = '', ...rest] = relative(source, file).split(sep);
  if (second === '') return first.replace(/\.ts$/, '');
  return GROUPS.has(first) && rest.length > 0 ? `${first}/${second}` : first;
};

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(name) && !name.endsWith('contract.ts'))
  .map((name) => join(source, name));

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, target = '']) =>
    resolve(dirname(file), target),
  );

function allowed(from: string, target: string): boolean {
  const to = folderOf(target);
  if (from === to || PURE.includes(to)) return true;
  if (PURE.includes(from)) return false;
  const extra = ALSO[from] ?? [];
  if (extra.includes(to) || extra.some((path) => `${relative(source, target)}${sep}`.startsWith(`${path}${sep}`)))
    return true;
  const [mine, theirs] = [STAGES.indexOf(from), STAGES.indexOf(to)];
  return mine >= 0 && theirs > mine;
}

it('the root of the sources holds the entry point alone', () => {
  const inRoot = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(inRoot.map(({ name }) => name)).toEqual(['index.ts']);
});

/** Who may hold the log itself; all others read through `Objects` and write through `Registry`. */
const HOLDERS_OF_THE_LOG = ['registry/', 'storage/', 'server', 'observe/metrics/', 'handlers/standard-checks.ts'];

/** Files outside of some places whose text matches. */
const matching = (text: RegExp, except: readonly string[]): string[] =>
  files
    .map((file) => relative(source, file))
    .filter((file) => !except.some((place) => file.startsWith(place)))
    .filter((file) => text.test(readFileSync(join(source, file), 'utf8')));

describe('values', () => {
  it('are taken for drafts by a cast only where objects become values', () => {
    expect(matching(/\bas (unknown as )?Draft</, ['objects/', 'schema/draft.ts', 'schema/derive/'])).toEqual([]);
    expect(matching(/\bborrowed\(/, ['schema/draft.ts', 'registry/tracking.ts'])).toEqual([]);
  });

  it('are told their kind by the rules of admission, in one place, and by no plugin', () => {
    // What is followed is of the kind that was asked for.
    const others = matching(/\b(object|oldObject)\)? as [A-Z]/, ['admission/webhook/webhook.ts']);
    expect(others.filter((file) => /^(admission|authorization)\//.test(file))).toEqual([]);
    expect(matching(/ as Acts</, [])).toEqual(['admission/rule.ts']);
  });
});

describe('walls', () => {
  it('keep stored bytes from being parsed by anyone but the registry', () => {
    const parsing = /\bparseObject\b|JSON\.parse\([^;\n]*\b(version|stored|previous)\.bytes/;
    expect(matching(parsing, ['registry/', 'storage/'])).toEqual([]);
  });

  it('keep the log from everyone but those who read, write, count and open it', () => {
    expect(matching(/\bVersionLog\b/, HOLDERS_OF_THE_LOG)).toEqual([]);
    expect(matching(/\bregistry(\(\))?\.(log|parts)\b/, [])).toEqual([]);
    const registry = readFileSync(join(source, 'registry/registry.ts'), 'utf8');
    expect(registry).not.toMatch(/^ {2}(readonly |get )?(log|parts)\b/m);
  });
});

describe('imports', () => {
  it('go down the path of a request, never up', () => {
    // Test planes are put together of a server, its clients and files that commands read.
    const composition = new Set(['server', 'index', 'cli', 'testing']);
    const wrong = files
      .filter((file) => !composition.has(folderOf(file)))
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => !allowed(folderOf(file), target))
          .map((target) => `${relative(source, file)} uses ${relative(source, target)}`),
      );
    expect(wrong).toEqual([]);
  });

  it('lead into test planes from commands alone: no server carries what only tests need', () => {
    const wrong = files
      .filter((file) => !['testing', 'cli'].includes(folderOf(file)))
      .filter((file) => importsOf(file).some((target) => folderOf(target) === 'testing'));
    expect(wrong).toEqual([]);
  });

  it('do not lead from one subject of admission to another', () => {
    // Webhooks and policies find out in the same way which requests they are about.
    const shared = ['matching', 'expressions'];
    const subjectOf = (file: string): string => /^admission\/([^/]+)\//.exec(relative(source, file))?.[1] ?? '';
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => subjectOf(file) !== '' && !['', ...shared, subjectOf(file)].includes(subjectOf(target)))
        .map((target) => `${relative(source, file)} uses ${relative(source, target)}`),
    );
    expect(wrong).toEqual([]);
  });

  it('of clients take types alone from kinds', () => {
    const statement = /^(?:import|export) (type )?[^;]*?from '(\.[^']+)'/gm;
    const taken = files
      .filter((file) => folderOf(file) === 'client')
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(statement)]
          .filter(([, , target = '']) => folderOf(resolve(dirname(file), target)) === 'kinds')
          .map(([, type = 'value']) => `${type.trim()} in ${relative(source, file)}`),
      );
    expect(taken.length).toBeGreaterThan(60);
    expect(taken.filter((one) => !one.startsWith('type '))).toEqual([]);
  });

  it('of control loops that a process beside the server can run lead to nothing inside of one', () => {
    const isController = (file: string): boolean => folderOf(file) === 'controllers';
    const loops = new Set<string>([join(source, 'controllers/loop-table.ts')]);
    for (const file of loops) for (const target of importsOf(file).filter(isController)) loops.add(target);
    expect(loops.size).toBeGreaterThan(10);
    const inside = ['registry', 'storage', 'handlers', 'server', 'admission', 'flow'];
    const wrong = [...loops].flatMap((file) =>
      importsOf(file)
        .filter((target) => inside.includes(folderOf(target)))
        .map((target) => `${relative(source, file)} uses ${relative(source, target)}`),
    );
    expect(wrong).toEqual([]);
  });

  it('form no circle', () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file))
        circles.push([...path.slice(path.indexOf(file)), file].map((one) => relative(source, one)).join(' -> '));
      if (done.has(file) || path.includes(file)) return;
      for (const next of importsOf(file)) visit(next, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });
});
