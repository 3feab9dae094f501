import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeKubectl, Kubectl, type Run } from './support/kubectl.ts';
import { PlaneWithPod } from './support/plane-with-pod.ts';
import { Platformctl } from './support/platformctl.ts';

let world: PlaneWithPod;
let configFile: string;
let folder: string;

beforeAll(async () => {
  world = await PlaneWithPod.start('kubernetes');
  configFile = join(world.directory, 'admin.conf');
  await world.addWorkloads();
  world.node.answerWithLines();
});

beforeEach(async () => {
  folder = await mkdtemp(join(world.directory, 'work-'));
});

afterAll(() => world.close());

describeKubectl('platformctl prints what kubectl does', (program) => {
  const LINES: readonly (readonly [string, string?])[] = [
    ['logs web'],
    ['logs web --tail=1 --timestamps'],
    ['logs many-a'],
    ['logs many-a -c side'],
    ['logs many-a -c none'],
    ['logs many-a --all-containers'],
    ['logs many-a --all-containers --prefix'],
    ['logs -l app=many -c main'],
    ['logs -l app=none'],
    ['logs gone'],
    ['logs web -l app=many'],
    ['exec web -- echo hello'],
    ['exec web -- false'],
    ['exec web -- tar cf - missing'],
    ['exec'],
    ['exec web'],
    ['exec web ls'],
    ['exec deployment/many -c main -- echo hello'],
    ['logs deployment/many -c main'],
    ['logs -l app=many --all-containers --prefix --tail=1'],
    ['logs -f web'],
    ['logs web main'],
    ['logs many-a none'],
    ['logs service/shop -c main'],
    ['logs nonsense/web'],
    ['exec web -c main -- sh -c'],
    ['attach'],
    ['attach gone'],
    ['attach many-a -c none'],
    ['logs'],
    ['logs a b c'],
    ['cp a b c'],
    ['logs --since=1s --since-time=2026-01-01T00:00:00Z web'],
    ['logs web --tail=-2'],
    ['logs deployment/none'],
    ['exec deployment/none -- ls'],
    ['port-forward web none'],
    ['port-forward web 99999'],
    ['exec many-a -- echo hello'],
    ['exec -i web -- cat', 'what comes in'],
    ['exec -i web -- wc -c', 'x'.repeat(100_000)],
    ['exec gone -- ls'],
    ['exec web --'],
    ['exec many-a -c none -- ls'],
    ['cp web:none/x'],
    ['cp a b'],
    ['cp web:a web:b'],
    ['cp missing web:there'],
    ['port-forward web'],
    ['port-forward service/shop 99'],
    ['port-forward gone 80'],
  ];

  // What earlier releases print is not held.
  it.skipIf(program.minor < 30).each(LINES)('%s', async (words = '', stdin) => {
    const args = words.split(' ');
    const theirs = await new Kubectl(program, folder, configFile).run(args, undefined, stdin);
    const mine = await new Platformctl(folder, configFile).run(args, stdin === undefined ? {} : { stdin });
    // Which of two pods of the same second comes first is left to chance.
    const plain = ({ code, stdout, stderr }: Run) => ({
      code,
      stdout: stdout.split('\n').sort(),
      stderr: stderr.replaceAll('kubectl', 'platformctl'),
    });
    expect(plain(mine)).toEqual(plain(theirs));
  });
});
