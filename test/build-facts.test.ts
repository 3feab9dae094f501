import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildFacts } from '../build-facts.mjs';
import { http1Client } from './support/client.ts';
import { endCommands, startCommand } from './support/command.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

/** A build says where it comes from. */

const root = fileURLToPath(new URL('..', import.meta.url));

afterEach(async () => {
  vi.unstubAllEnvs();
  await endCommands();
});

const WHO = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];

const git = (directory: string, ...args: string[]): string =>
  execFileSync('git', [...WHO, ...args], { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

async function repository(): Promise<{ directory: string; commit: string }> {
  const directory = await temporaryDirectory();
  git(directory, 'init', '--quiet');
  await writeFile(join(directory, 'file'), 'text');
  git(directory, 'add', '.');
  git(directory, 'commit', '--quiet', '--message', 'first');
  return { directory, commit: git(directory, 'rev-parse', 'HEAD').trim() };
}

describe('the facts of a build', () => {
  it('are the commit and whether anything was changed since', async () => {
    const { directory, commit } = await repository();
    expect(buildFacts(directory)).toMatchObject({ commit, treeState: 'clean' });
    await writeFile(join(directory, 'file'), 'other');
    expect(buildFacts(directory)).toMatchObject({ commit, treeState: 'dirty' });
  });

  it('name no commit outside of a repository, nor that of a repository around', async () => {
    expect(buildFacts(await temporaryDirectory())).toMatchObject({ commit: '', treeState: '' });
    const { directory } = await repository();
    await mkdir(join(directory, 'inner'));
    expect(buildFacts(join(directory, 'inner'))).toMatchObject({ commit: '', treeState: '' });
  });

  it('have the date that a reproducible build asks for', () => {
    vi.stubEnv('SOURCE_DATE_EPOCH', '86400');
    expect(buildFacts(root).date).toBe('1970-01-02T00:00:00Z');
  });
});

describe('/version of the command', () => {
  it('says which commit was built, and when', async () => {
    const command = startCommand(await temporaryDirectory());
    await command.ready();
    const client = http1Client(await command.connection());
    onTestFinished(() => client.close());
    const { text } = await client.request('GET', '/version');
    const { gitCommit, gitTreeState, buildDate } = JSON.parse(text);
    const { commit } = buildFacts(root);
    expect(gitCommit).toBe(commit);
    expect(gitTreeState).toMatch(commit === '' ? /^$/ : /^(clean|dirty)$/);
    expect(Date.parse(buildDate)).toBeGreaterThan(Date.parse('2020-01-01'));
  });
});
