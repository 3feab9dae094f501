import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vocabularies, vocabularyNames } from '../src/vocabulary/vocabulary.ts';
import { Platformctl } from './support/platformctl.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** What people read who ask about access on the command line. */

describe.each(vocabularyNames)('platformctl auth, of a plane in the %s vocabulary,', (vocabulary) => {
  const { groups } = vocabularies[vocabulary];
  const RBAC = `/apis/${groups.rbac}/v1`;
  const asAlice = ['--as', 'alice', '--as-group', 'staff'];
  let directory: string;
  let plane: TestServer;
  let platformctl: Platformctl;

  beforeAll(async () => {
    directory = await makeDirectory();
    plane = await startTestServer({ vocabulary });
    const configFile = join(directory, 'admin.conf');
    await writeFile(configFile, plane.server.adminConfig);
    platformctl = new Platformctl(directory, configFile);
    const rules = [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['secrets'] }];
    const subjects = [
      { kind: 'Group', apiGroup: groups.rbac, name: 'staff' },
      { kind: 'ServiceAccount', namespace: 'default', name: 'bot' },
    ];
    const roleRef = { apiGroup: groups.rbac, kind: 'Role', name: 'readers' };
    const path = `${RBAC}/namespaces/default`;
    const metadata = { name: 'readers' };
    const made = [
      await plane.admin.request('POST', `${path}/roles`, { metadata, rules }),
      await plane.admin.request('POST', `${path}/rolebindings`, { metadata, roleRef, subjects }),
    ];
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
  });
  afterAll(async () => {
    await plane.close();
    await removeDirectory(directory);
  });

  it('who-can names subjects with what lets them in', async () => {
    const text = await platformctl.succeed('auth', 'who-can', 'get', 'secrets', 'web');
    expect(text).toContain(
      [
        'Group staff',
        '  by RoleBinding default/readers of Role default/readers',
        '    get, list on secrets',
        'Group system:masters',
      ].join('\n'),
    );
    expect(text).toContain('ServiceAccount default/bot\n');
    expect(await platformctl.succeed('auth', 'who-can', 'get', 'secrets', '-A')).not.toContain('staff');
    const { status } = JSON.parse(await platformctl.succeed('auth', 'who-can', 'get', '/metrics', '-o', 'json'));
    expect(status.subjects.map(({ name }: { name: string }) => name)).toContain('system:monitoring');
  });

  it('a refusal points to its story on a terminal, and nowhere else', async () => {
    const line = ['get', 'configmap', 'web', ...asAlice];
    const piped = await platformctl.run(line);
    expect(piped.stderr).toMatch(/^Error from server \(Forbidden\): [^\n]*\n$/);
    const { code, stderr } = await platformctl.run(line, { stderrIsTerminal: true });
    const [told = '', hint = '', ...rest] = stderr.split('\n');
    expect([code, `${told}\n`, rest]).toEqual([1, piped.stderr, ['']]);
    const [, id = ''] = /^to see why: platformctl auth why ([0-9a-f-]{36})$/.exec(hint) ?? [];
    const story = await platformctl.succeed('auth', 'why', id);
    expect(story).toContain(told.replace('Error from server (Forbidden): ', 'Refused: '));
    expect(story).toContain('2 times, last at ');
    expect(story).toContain('RBAC has no opinion\n');
    expect(story).toContain('get, list on secrets: lacks the resource\n');
    expect(story).toContain('ClusterRole cluster-admin (2 rules)\n');
    expect(story).toContain('kind: RoleBinding\n');
  });

  it('why tells the same of what nobody has tried, in colours on a terminal', async () => {
    const line = ['auth', 'why', 'delete', 'secret/web', ...asAlice];
    const plain = await platformctl.succeed(...line);
    expect(plain).toMatch(/^Now: not allowed\n/);
    expect(plain).toContain('get, list on secrets: lacks the verb\n');
    expect((await platformctl.run(line, { terminalColumns: 80 })).stdout).toContain('\x1b[31mnot allowed\x1b[0m');
    const allowed = await platformctl.succeed('auth', 'why', 'get', 'secret', 'web', ...asAlice);
    expect(allowed).toContain('Allowed\n  by RoleBinding default/readers of Role default/readers\n');
    expect(await platformctl.succeed('auth', 'why', 'get', 'nodes')).toContain('by PrivilegedGroup\n');
    expect(await platformctl.succeed(...line, '-o', 'yaml')).toContain('kind: AccessExplanation\n');
  });

  it('why says what it needs, and what it does not know', async () => {
    expect((await platformctl.run(['auth', 'why'])).stderr).toBe(
      'error: name the id of a denial, or a verb and a type\n',
    );
    expect((await platformctl.run(['auth', 'why', 'nothing'])).stderr).toBe(
      'error: the server does not remember a denial "nothing": they are kept for a quarter of an hour\n',
    );
  });
});
