import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { replay } from '../../src/cli/replay.ts';
import { ConfigMap, Secret } from '../../src/client/index.ts';
import { startTestPlane, type TestPlane } from '../../src/testing/test-plane.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const planes: TestPlane[] = [];

afterEach(async () => {
  for (const plane of planes.splice(0)) await plane.stop();
});

const start = async (): Promise<TestPlane> => {
  const plane = await startTestPlane({ controllers: ['-*'] });
  planes.push(plane);
  return plane;
};

/** A recording of a little work by two users, with versions that the plane gave. */
async function recorded(): Promise<string> {
  const plane = await start();
  const alice = await plane.clientAs('alice', ['system:masters']);
  using recording = plane.record();
  const maps = plane.client.of(ConfigMap).inNamespace('default');
  const made = await maps.create({ metadata: { name: 'a' }, data: { key: 'v' } });
  await maps.create({ metadata: { name: 'b' } });
  await maps.update({ ...made, data: { key: 'w' } });
  await maps.update({ ...made, data: { key: 'x' } }).catch(() => undefined);
  const generated = await maps.create({ metadata: { generateName: 'g-' } });
  const theirs = alice.of(ConfigMap).inNamespace('default');
  await theirs.get(generated.metadata.name ?? '');
  await theirs.delete('b', { preconditions: { uid: (await theirs.get('b')).metadata.uid ?? '' } });
  await alice
    .of(Secret)
    .inNamespace('default')
    .create({ metadata: { name: 's' }, stringData: { key: 'moonlight' } });
  {
    using _ = plane.chaos({ seed: 1, conflict: 1, disconnect: 0 });
    await maps.patch('a', { merge: { data: { key: 'never' } } }).catch(() => undefined);
  }
  const file = join(await temporaryDirectory(), 'recording.jsonl');
  await recording.writeTo(file);
  return file;
}

describe('platform-apiserver replay', () => {
  it('gets the same answers from a fresh plane', async () => {
    expect(await replay([await recorded()])).toBe('9 requests were sent, 1 were not; no answer differs\n');
  });

  it('says where answers of another plane differ', async () => {
    const file = await recorded();
    const other = await start();
    await other.client
      .of(ConfigMap)
      .inNamespace('default')
      .create({ metadata: { name: 'b' } });
    const told = await replay([file, `--kubeconfig=${other.configFile}`]);
    expect(told).toMatch(/^2 {2}\S+ create ConfigMap default\/b\n {5}status 201 → 409\n/);
    expect(told).toContain('differ');
    const { data } = await other.client.of(ConfigMap).inNamespace('default').get('a');
    expect(data).toEqual({ key: 'w' });
  });

  it('notices an answer that was changed in the file', async () => {
    const file = await recorded();
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const changed = lines.map((line) => {
      const entry = JSON.parse(line);
      if (entry.verb === 'update' && entry.status === 200) entry.answer.json.data.key = 'changed';
      return JSON.stringify(entry);
    });
    await writeFile(file, changed.join('\n'));
    expect(await replay([file])).toMatch(
      /^3 {2}\S+ update ConfigMap default\/a\n {5}data.key "changed" → "w"\n9 requests were sent, 1 were not; 1 answers differ\n$/,
    );
  });

  it('refuses what is no recording', async () => {
    const file = join(await temporaryDirectory(), 'other');
    await writeFile(file, '{"a":1}\n');
    await expect(replay([file])).rejects.toThrow('is no recording');
    await writeFile(file, 'text\n');
    await expect(replay([file])).rejects.toThrow('line 1 is not JSON');
    await expect(replay([`${file}-none`])).rejects.toThrow('cannot read');
    await expect(replay([])).rejects.toThrow('needs one FILE');
  });
});
