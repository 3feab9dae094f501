import { parseArgs } from 'node:util';
import { http1Client } from '../support/client.ts';
import { endCommands, startCommand } from '../support/command.ts';
import { makeDirectory, removeDirectory } from '../support/temporary-directory.ts';
import { crowd } from './crowd.ts';
import { declaredShapes } from './declared.ts';
import { measure } from './measure.ts';
import { Prober, type Wait } from './prober.ts';
import type { Shape } from './shape.ts';
import { SHAPES } from './shapes.ts';

/** The loop may not work longer while someone else waits, unless it does so with nothing to do, on a slow machine. */
const MOST_WAIT_MS = 25;

/** The scenarios, by name; each prints its figures. */
const SCENARIOS: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  shapes: (args) => shapes(args, SHAPES),
  declared: (args) => shapes(args, declaredShapes()),
  crowd: crowded,
};

/** `run.mjs [shapes|declared|crowd] [options]`. Gives the exit code. */
export function run([name = 'shapes', ...args]: string[]): Promise<number> {
  const scenario = SCENARIOS[name];
  if (!scenario) throw new Error(`there is no scenario "${name}": ${Object.keys(SCENARIOS).join(', ')}`);
  return scenario(args);
}

async function crowded(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      objects: { type: 'string', default: '100000' },
      lists: { type: 'string', default: '20' },
      watches: { type: 'string', default: '300' },
      seconds: { type: 'string', default: '20' },
    },
  });
  const figures = await crowd({
    objects: Number(values.objects),
    lists: Number(values.lists),
    watches: Number(values.watches),
    seconds: Number(values.seconds),
  });
  console.log(figures);
  return figures.aboveIdle <= 100 && figures.refused === 0 ? 0 : 1;
}

const textOf = ({ longest, work }: Wait): string =>
  `${work.toFixed(1).padStart(9)} ms of work ${longest.toFixed(1).padStart(9)} ms`;

/** Tries every shape at its full size, and prints how long others had to wait. Gives the exit code. */
async function shapes(args: string[], all: readonly Shape[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: '' },
      size: { type: 'string', default: '1' },
      above: { type: 'string', default: '0' },
    },
  });
  let late = 0;
  const directory = await makeDirectory();
  const command = startCommand(directory);
  await command.ready();
  const connection = await command.connection();
  const admin = http1Client(connection);
  const prober = new Prober(connection.server, command.pid);
  await prober.measure();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const floor = await prober.measure();
  console.log(`${textOf(floor)}  floor`);
  try {
    for (const shape of all.filter(({ name }) => new RegExp(values.only).test(name))) {
      await shape.prepare?.(admin, Number(values.size));
      const { status, wait } = await measure(shape, admin, prober, Number(values.size));
      if (wait.work > Math.max(MOST_WAIT_MS, 2 * floor.work)) late++;
      if (wait.work > Number(values.above)) console.log(`${textOf(wait)}  ${status}  ${shape.name}`);
    }
  } finally {
    prober.close();
    admin.close();
    await endCommands();
    await removeDirectory(directory);
  }
  return late === 0 ? 0 : 1;
}
