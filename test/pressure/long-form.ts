import { parseArgs } from 'node:util';
import { http1Client } from '../support/client.ts';
import { endCommands, startCommand } from '../support/command.ts';
import { makeDirectory, removeDirectory } from '../support/temporary-directory.ts';
import { measure } from './measure.ts';
import { Prober } from './prober.ts';
import { SHAPES } from './shapes.ts';

/** Tries every shape at its full size, and prints how long others had to wait. Gives the exit code. */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { only: { type: 'string', default: '' }, size: { type: 'string', default: '1' } },
  });
  const directory = await makeDirectory();
  const command = startCommand(directory);
  await command.ready();
  const connection = await command.connection();
  const admin = http1Client(connection);
  const prober = new Prober(connection.server);
  await prober.longest();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const floor = await prober.longest();
  console.log(`floor: ${floor.toFixed(1)} ms`);
  try {
    for (const shape of SHAPES.filter(({ name }) => new RegExp(values.only).test(name))) {
      await shape.prepare?.(admin);
      const { status, wait } = await measure(shape, admin, prober, Number(values.size));
      console.log(`${wait.toFixed(1).padStart(9)} ms  ${status}  ${shape.name}`);
    }
  } finally {
    prober.close();
    admin.close();
    await endCommands();
    await removeDirectory(directory);
  }
  return 0;
}
