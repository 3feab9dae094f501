import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, http1Client } from '../support/client.ts';
import { type Command, endCommands, startCommand } from '../support/command.ts';
import { makeDirectory, removeDirectory } from '../support/temporary-directory.ts';
import { declaredShapes } from './declared.ts';
import { CONFIG_MAPS, DRY, times, YAML } from './shape.ts';
import { SHAPES } from './shapes.ts';

/**
 * The short form of `npm run pressure`: every hostile shape at a small part of its size, and some of the ugly values for
 * declared fields, are answered, never with a fault of the server, and the server is there afterwards. How long others
 * wait meanwhile is measured by the long form.
 */
const SIZE = 0.05;
const EVERY = 97;

let directory: string;
let command: Command;
let admin: Client;

beforeAll(async () => {
  directory = await makeDirectory();
  command = startCommand(directory);
  await command.ready();
  admin = http1Client(await command.connection());
});

afterAll(async () => {
  admin.close();
  await endCommands();
  await removeDirectory(directory);
});

describe('the server answers', () => {
  it.each(SHAPES.map((shape) => [shape.name, shape] as const))('%s', async (_name, shape) => {
    await shape.prepare?.(admin, SIZE);
    expect(await shape.send(admin, SIZE)).toBeLessThan(500);
  });

  it('ugly values of declared fields', async () => {
    const faults: string[] = [];
    for (const [at, shape] of declaredShapes().entries()) {
      if (at % EVERY === 0 && (await shape.send(admin, SIZE)) >= 500) faults.push(shape.name);
    }
    expect(faults).toEqual([]);
  });
});

it('whoever sends one document in YAML does not wait for all that somebody else sent', async () => {
  const [many, short] = [`x: [${'[],'.repeat(3_000)}]`, `x: [${'[],'.repeat(450)}]`];
  const send = (text: string, user: string) =>
    admin.request('POST', `${CONFIG_MAPS}${DRY}`, text, {
      'content-type': YAML,
      'impersonate-user': user,
      'impersonate-group': 'system:masters',
    });
  let answered = 0;
  const others = times(20, () => send(many, 'mallory').then(({ status }) => (answered += Number(status < 429))));
  await expect.poll(() => answered).toBeGreaterThan(0);
  await send(short, 'alice');
  expect(answered).toBeLessThan(10);
  await Promise.all(others);
  expect(answered).toBe(20);
});

it('and is there afterwards', async () => {
  expect((await admin.request('GET', '/livez')).status).toBe(200);
});
