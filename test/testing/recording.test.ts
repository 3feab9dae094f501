import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ConfigMap, Secret, ServiceAccount } from '../../src/client/index.ts';
import { startTestPlane, type TestPlane } from '../../src/testing/test-plane.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let plane: TestPlane;

afterEach(() => plane.stop());

async function start() {
  plane = await startTestPlane({ controllers: ['-*'] });
  return plane.client.of(ConfigMap).inNamespace('default');
}

const withoutTimes = (story: string): string[] =>
  story
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^\+[\d.]+s /, '').replace(/ @\d+/, ''));

describe('a recording', () => {
  it('tells who did what, how it ended and what changed', async () => {
    const maps = await start();
    const alice = await plane.clientAs('alice', ['system:masters']);
    const theirs = alice.of(ConfigMap).inNamespace('default');
    using recording = plane.record({ client: 'alice' });
    await theirs.create({ metadata: { name: 'a' }, data: { key: 'v' } });
    await maps.create({ metadata: { name: 'not-hers' } });
    await theirs.patch('a', { merge: { data: { key: 'w', more: 'x' } } });
    await theirs.patch('a', { merge: { data: { key: 'w' } } });
    await theirs.find('none');
    expect(withoutTimes(recording.story())).toEqual([
      'alice create ConfigMap default/a → 201',
      'alice patch ConfigMap default/a → 200: data.key "v" → "w", data.more (none) → "x"',
      'alice patch ConfigMap default/a → 200: nothing changed',
      'alice get ConfigMap default/none → 404 NotFound: configmaps "none" not found',
    ]);
  });

  it('tells of the events of watches', async () => {
    const maps = await start();
    using recording = plane.record({ verb: 'watch' });
    const informer = await maps.informer();
    await maps.create({ metadata: { name: 'a' }, data: { key: 'v' } });
    await maps.patch('a', { merge: { data: { key: 'w' } } });
    await maps.delete('a');
    const events = () => withoutTimes(recording.story()).filter((line) => line.includes('default/a'));
    await expect.poll(events).toHaveLength(3);
    expect(events().map((line) => line.replace(/^.*← /, ''))).toEqual([
      'ADDED ConfigMap default/a',
      'MODIFIED ConfigMap default/a: data.key "v" → "w"',
      expect.stringMatching(/^DELETED ConfigMap default\/a/),
    ]);
    await informer.close();
  });

  it('holds no secrets, neither in the story nor in the file', async () => {
    await start();
    using recording = plane.record();
    const secrets = plane.client.of(Secret).inNamespace('default');
    const watched = await secrets.informer();
    const value = Buffer.from('moonlight').toString('base64');
    const annotations = { 'example.com/last-applied-configuration': 'moonlight' };
    await secrets.create({ metadata: { name: 's', annotations }, stringData: { key: 'moonlight' } });
    await secrets.patch('s', { merge: { data: { other: value } } });
    await secrets.patch('s', { json: [{ op: 'replace', path: '/data/key', value: `${value}AAAA` }] });
    await secrets.list();
    const accounts = plane.client.of(ServiceAccount).inNamespace('default');
    await accounts.create({ metadata: { name: 'robot' } });
    const { token = '' } = await accounts.requestToken('robot', { expirationSeconds: 600 });
    await expect.poll(() => recording.story().match(/← MODIFIED Secret/g)?.length).toBe(2);
    await watched.close();
    const all = recording.text() + recording.story();
    for (const secret of ['moonlight', value, token]) expect(all).not.toContain(secret);
    expect(all).toContain('aGlkZGVu');
  });

  it('keeps its beginning within its bytes, and says how much is missing', async () => {
    const maps = await start();
    using recording = plane.record({ limitBytes: 6_000 });
    for (let at = 0; at < 10; at++) await maps.create({ metadata: { name: `m${at}` } });
    expect(recording.dropped).toBeGreaterThan(0);
    expect(recording.entries.length + recording.dropped).toBe(10);
    expect(recording.story()).toContain(`and ${recording.dropped} more`);
    expect(recording.text().length).toBeLessThan(6_500);
    const file = join(await temporaryDirectory(), 'recording.jsonl');
    await recording.writeTo(file);
    const lines = (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ format: 'platform-recording/1', vocabulary: 'platform' });
    expect(lines.at(-1)).toMatchObject({ type: 'dropped', entries: recording.dropped });
  });

  it('says what chaos did, and whether it was done all the same', async () => {
    const maps = await start();
    using _ = plane.chaos({ seed: 1, verb: 'create', disconnect: { probability: 1, when: 'after' } });
    using recording = plane.record();
    await maps.create({ metadata: { name: 'a' } }).catch(() => undefined);
    expect(withoutTimes(recording.story())[0]).toMatch(
      /create ConfigMap default → connection broken off \(chaos: disconnect\)$/,
    );
  });
});
