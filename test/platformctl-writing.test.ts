import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endCommands, startCommand } from './support/command.ts';
import { Platformctl, type PlatformctlSettings } from './support/platformctl.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

/** Commands that write, on a plane that speaks the neutral names. */

let directory: string;
let configFile: string;
let folder: string;
let platformctl: Platformctl;
let namespace: string;
let count = 0;

beforeAll(async () => {
  directory = await makeDirectory();
  await startCommand(directory, '--controllers=*,-disruption').ready();
  configFile = join(directory, '.platform', 'admin.conf');
});

afterAll(async () => {
  await endCommands();
  await removeDirectory(directory);
});

beforeEach(async () => {
  namespace = `writing-${++count}`;
  folder = join(directory, namespace);
  await mkdir(folder);
  platformctl = new Platformctl(folder, configFile);
  await platformctl.succeed('create', 'namespace', namespace);
});

const run = (line: string, settings?: PlatformctlSettings) =>
  platformctl.run(['-n', namespace, ...line.split(' ')], settings);

/** The output of a line that must succeed, and says nothing else. */
async function succeed(line: string, settings?: PlatformctlSettings): Promise<string> {
  const { code, stdout, stderr } = await run(line, settings);
  expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' });
  return stdout;
}

/** An object as the plane has it: a patch of nothing shows it. */
async function objectOf(name: string): Promise<Record<string, unknown> & { metadata: Record<string, unknown> }> {
  return JSON.parse(await succeed(`patch ${name} --type=merge -p {} -o json --show-managed-fields`));
}

const configMap = (name: string, data: object, labels?: object): string =>
  JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, labels }, data });

const file = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);

describe('the story of a conflict', () => {
  it('names the manager, the time, both values, and what can be done', async () => {
    await file('theirs.json', configMap('a', { shared: 'theirs', free: '1' }));
    await file('ours.json', configMap('a', { shared: 'ours' }));
    await succeed('apply -f theirs.json --field-manager=somebody');
    const { code, stderr, stdout } = await run('apply -f ours.json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.replace(/\d{4}-\S+Z \([^)]*\)/, 'TIME (AGO)')).toBe(
      [
        'error: configmap/a was not changed: a field is managed by others',
        '  .data.shared',
        '    managed by  somebody, by apply, TIME (AGO)',
        '    theirs      "theirs"',
        '    yours       "ours"',
        'How to go on:',
        '  * to manage these fields from now on, run the line again with --force-conflicts',
        '  * to leave them to their managers, take them out of the file',
        '  * to share them, write the values that are there into the file',
        '',
      ].join('\n'),
    );
    expect(await objectOf('cm/a')).toMatchObject({ data: { shared: 'theirs', free: '1' } });
    await succeed('apply -f ours.json --force-conflicts');
    expect(await objectOf('cm/a')).toMatchObject({ data: { shared: 'ours', free: '1' } });
  });
});

describe('many files', () => {
  it('are applied side by side and told in order, and one that fails hides no other', async () => {
    const names = Array.from({ length: 500 }, (_, at) => `m-${String(at).padStart(3, '0')}`);
    await mkdir(join(folder, 'many'));
    for (const name of names) {
      const text =
        name === 'm-250'
          ? '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"Not A Name"}}'
          : configMap(name, {});
      await file(join('many', `${name}.json`), text);
    }
    const { code, stdout, stderr } = await run('apply -f many');
    expect(code).toBe(1);
    expect(stdout).toBe(
      names
        .filter((name) => name !== 'm-250')
        .map((name) => `configmap/${name} serverside-applied\n`)
        .join(''),
    );
    expect(stderr).toMatch(/Not A Name/);
  }, 60_000);

  it('show how far the work is on a terminal, and leave nothing of that behind', async () => {
    const documents = Array.from({ length: 40 }, (_, at) => configMap(`p-${at}`, {}));
    const { code, stderr } = await run('apply -f -', { stdin: documents.join('\n---\n'), stderrIsTerminal: true });
    expect(code).toBe(0);
    expect(stderr).toMatch(/applying \[.*\] \d+\/40/);
    expect(stderr.endsWith('\r\x1b[K')).toBe(true);
  });

  it('of kinds that others need are written before those', async () => {
    const account = { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'runner' } };
    const pod = {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'needs-it' },
      spec: { serviceAccountName: 'runner', containers: [{ name: 'c', image: 'i' }] },
    };
    const text = [account, pod].map((one) => JSON.stringify(one)).join('\n---\n');
    expect(await succeed('create -f -', { stdin: text })).toBe('serviceaccount/runner created\npod/needs-it created\n');
  });
});

describe('pruning', () => {
  it('deletes what was applied before, has the labels, and is in no file now', async () => {
    await file('both.json', `${configMap('a', {}, { app: 'x' })}\n---\n${configMap('b', {}, { app: 'x' })}`);
    await file('one.json', configMap('a', {}, { app: 'x' }));
    await succeed('create configmap by-hand');
    await succeed('label cm by-hand app=x');
    await succeed('apply -f both.json');
    expect(await succeed('apply -f one.json --prune -l app=x')).toBe(
      'configmap/a serverside-applied\nconfigmap/b pruned\n',
    );
    expect(await succeed('delete cm -l app=x -o name')).toBe('configmap/a\nconfigmap/by-hand\n');
  });

  it('of a set deletes what the set held before, of other kinds too', async () => {
    const secret = JSON.stringify({ kind: 'Secret', apiVersion: 'v1', metadata: { name: 's' } });
    await file('both.json', `${configMap('a', {})}\n---\n${secret}`);
    await file('one.json', configMap('a', {}));
    await succeed('apply -f both.json --prune --applyset=mine');
    expect(await objectOf('secret/mine')).toMatchObject({
      metadata: {
        labels: { 'applyset.platform.io/id': expect.stringMatching(/^applyset-.{43}-v1$/) },
        annotations: { 'applyset.platform.io/contains-group-kinds': 'ConfigMap,Secret' },
      },
    });
    expect(await succeed('apply -f one.json --prune --applyset=mine')).toBe(
      'configmap/a serverside-applied\nsecret/s pruned\n',
    );
    expect(await objectOf('secret/mine')).toMatchObject({
      metadata: { annotations: { 'applyset.platform.io/contains-group-kinds': 'ConfigMap' } },
    });
  });

  it('is refused without a word about which objects', async () => {
    await file('one.json', configMap('a', {}));
    expect((await run('apply -f one.json --prune')).stderr).toMatch(/pass the --all flag/);
  });
});

describe('apply, merged here', () => {
  it('remembers what it wrote under the name of the vocabulary', async () => {
    await file('one.json', configMap('a', { x: '1', y: '2' }));
    await file('less.json', configMap('a', { x: '1' }));
    expect(await succeed('apply --client-side -f one.json')).toBe('configmap/a created\n');
    await succeed('patch cm a -p {"data":{"theirs":"1"}}');
    expect(await succeed('apply --client-side -f less.json')).toBe('configmap/a configured\n');
    expect(await objectOf('cm/a')).toMatchObject({
      data: { x: '1', theirs: '1' },
      metadata: { annotations: { 'ctl.platform.io/last-applied-configuration': expect.stringContaining('"x":"1"') } },
    });
    expect(await succeed('apply --client-side -f less.json')).toBe('configmap/a unchanged\n');
  });

  it('can be left for the plane: what is in no file any more goes, though a client wrote it', async () => {
    await file('one.json', configMap('a', { x: '1', y: '2' }));
    await file('less.json', configMap('a', { x: 'new' }));
    await succeed('apply --client-side -f one.json');
    expect(await succeed('apply -f less.json')).toBe('configmap/a serverside-applied\n');
    const { data, metadata } = await objectOf('cm/a');
    expect(data).toEqual({ x: 'new' });
    expect((metadata.managedFields as { manager: string }[]).map(({ manager }) => manager)).toEqual(['platformctl']);
  });

  it('merges custom kinds, whose lists have no keys, as plain JSON', async () => {
    const definition = {
      kind: 'CustomResourceDefinition',
      apiVersion: 'apiextensions.platform.io/v1',
      metadata: { name: `things.${namespace}.example.com` },
      spec: {
        group: `${namespace}.example.com`,
        scope: 'Namespaced',
        names: { plural: 'things', singular: 'thing', kind: 'Thing' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-platform-preserve-unknown-fields': true } },
          },
        ],
      },
    };
    await succeed('create -f -', { stdin: JSON.stringify(definition) });
    const thing = (spec: object) =>
      JSON.stringify({ kind: 'Thing', apiVersion: `${namespace}.example.com/v1`, metadata: { name: 't' }, spec });
    await expect
      .poll(async () => (await run('apply --client-side -f -', { stdin: thing({ list: [1, 2] }) })).code)
      .toBe(0);
    expect(await succeed('apply --client-side -f -', { stdin: thing({ list: [3] }) })).toMatch(/configured/);
    expect(await objectOf('thing/t')).toMatchObject({ spec: { list: [3] } });
  });
});

describe('diff', () => {
  it('ends with 0 where nothing differs, 1 where something does, and 2 where that cannot be told', async () => {
    await file('one.json', configMap('a', { k: 'v' }));
    await file('other.json', configMap('a', { k: 'w' }));
    await succeed('apply -f one.json');
    expect(await run('diff -f one.json')).toEqual({ code: 0, stdout: '', stderr: '' });
    const { code, stdout } = await run('diff -f other.json');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^- {2}k: v\n\+ {2}k: w$/m);
    expect((await run('diff -f nosuch.json')).code).toBe(2);
    expect(await objectOf('cm/a')).toMatchObject({ data: { k: 'v' } });
  });

  it('is done by another program where a variable names one', async () => {
    await file('one.json', configMap('a', { k: 'v' }));
    const env = { PLATFORMCTL_EXTERNAL_DIFF: 'diff -q -N', PATH: process.env.PATH ?? '' };
    expect((await run('diff -f one.json', { env })).stdout).toMatch(/^Files .* differ$/m);
  });
});

describe('deletion', () => {
  it('waits until objects are gone, and says when they are not in time', async () => {
    await succeed('create -f -', {
      stdin: JSON.stringify({
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { name: 'held', finalizers: ['example.com/hold'] },
      }),
    });
    const { code, stdout, stderr } = await run('delete cm held --timeout=100ms');
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'configmap "held" deleted\n' });
    expect(stderr).toBe('error: timed out waiting for the condition on configmaps/held\n');
    await succeed('patch cm held --type=merge -p {"metadata":{"finalizers":null}}');
    expect((await run('delete cm held --ignore-not-found')).code).toBe(0);
  });

  it('asks first where it is told to', async () => {
    await succeed('create configmap a');
    expect(await succeed('delete cm a -i', { stdin: 'n\n' })).toMatch(/deletion is cancelled/);
    expect(await succeed('delete cm a -i', { stdin: 'y\n' })).toMatch(/configmap "a" deleted/);
  });
});

describe('what is made here', () => {
  it('has the names of the vocabulary', async () => {
    expect(await succeed('create role r --verb=get --resource=pods --dry-run=client -o json')).toMatch(
      /"apiVersion": "rbac.authorization.platform.io\/v1"/,
    );
    expect(await succeed('create secret docker-registry s --docker-username=u --docker-password=p -o json')).toMatch(
      /"type": "platform.io\/dockerconfigjson"/,
    );
  });

  it('is managed by a name that says which command made it', async () => {
    await succeed('create deployment web --image=x');
    await succeed('set image deploy web x=other');
    const { managedFields } = (await objectOf('deploy/web')).metadata;
    expect((managedFields as { manager: string }[]).map(({ manager }) => manager).sort()).toEqual([
      'platformctl-create',
      'platformctl-set',
    ]);
  });
});

it('overlays are refused with a word about what to do instead', async () => {
  expect((await run('apply -k folder')).stderr).toMatch(
    /build them with their own program and pipe the result to -f -/,
  );
});
