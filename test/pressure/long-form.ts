import { parseArgs } from 'node:util';
import { Bench } from './bench.ts';
import { crowd } from './crowd.ts';
import { declaredShapes } from './declared.ts';
import type { Wait } from './prober.ts';
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
      memory: { type: 'string', default: '' },
      from: { type: 'string', default: '0' },
      minutes: { type: 'string', default: '' },
      calm: { type: 'boolean', default: false },
      profiles: { type: 'string' },
    },
  });
  const pattern = new RegExp(values.only);
  const chosen = all.filter(({ name }) => pattern.test(name));
  const end = values.minutes ? performance.now() + Number(values.minutes) * 60_000 : Number.POSITIVE_INFINITY;
  const bench = new Bench({
    megabytes: values.memory ? Number(values.memory) : undefined,
    comesFirst: !values.calm,
    profiles: values.profiles,
  });
  const counts = { late: 0, faults: 0, ended: 0 };
  let at = Number(values.from);
  try {
    console.log(`${textOf(await bench.begin())}  floor`);
    for (; at < chosen.length && performance.now() < end; at++) {
      const shape = chosen[at];
      if (!shape) continue;
      const tried = await bench.attempt(shape, Number(values.size));
      if (tried.hasEnded) counts.ended++;
      else if (tried.status >= 500) counts.faults++;
      if (tried.wait.work > Math.max(MOST_WAIT_MS, 2 * bench.floor.work)) counts.late++;
      if (tried.wait.work > Number(values.above) || tried.hasEnded || tried.status >= 500) {
        const memory = values.memory ? `${tried.peak.toFixed(0).padStart(6)} MB` : '';
        console.log(
          `${textOf(tried.wait)}${memory}  ${tried.hasEnded ? 'the process ended' : tried.status}  ${shape.name}`,
        );
      }
    }
  } finally {
    await bench.end();
  }
  const { late, faults, ended } = counts;
  console.log(`${at} of ${chosen.length} shapes: ${late} late, ${faults} answered 5xx, ${ended} ended the process`);
  return late + faults + ended === 0 ? 0 : 1;
}
