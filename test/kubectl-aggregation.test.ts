import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FrontAndExtension, GROUP } from './support/front-and-extension.ts';
import { describeKubectl, Kubectl } from './support/kubectl.ts';

/** What kubectl sees of a group that a second server serves behind the first. */

let both: FrontAndExtension;
let configFile: string;

beforeAll(async () => {
  both = await FrontAndExtension.start('kubernetes');
  configFile = join(both.directory, 'admin.conf');
  await writeFile(configFile, both.front.server.adminConfig);
});

afterAll(() => both.close());

describeKubectl('a kind of another server, with', (program) => {
  it('is among the resources, and created, got, explained, selected and deleted as any', async () => {
    const kubectl = new Kubectl(program, both.directory, configFile);
    const resources = await kubectl.succeed('api-resources', `--api-group=${GROUP}`);
    expect(resources).toMatch(/^flunders +fl +flunders\.example\.com\/v1 +true +Flunder$/m);
    const file = join(both.directory, 'flunder.yaml');
    await writeFile(
      file,
      `apiVersion: ${GROUP}/v1\nkind: Flunder\nmetadata: { name: one, labels: { a: b } }\nspec: { size: 7 }\n`,
    );
    expect(await kubectl.succeed('apply', '-f', file)).toBe(`flunder.${GROUP}/one created\n`);
    expect(await kubectl.succeed('get', 'fl', '-l', 'a=b')).toMatch(/^NAME +SIZE\none +7\n$/);
    expect(await kubectl.succeed('explain', 'flunders.spec.size')).toContain('How large it is.');
    expect(await kubectl.succeed('get', 'apiservices', `v1.${GROUP}`)).toMatch(/default\/extension +True/);
    expect(await kubectl.succeed('auth', 'can-i', 'list', `flunders.${GROUP}`)).toBe('yes\n');
    expect(await kubectl.succeed('delete', 'flunder', 'one')).toContain('"one" deleted');
  });
});
