import { cpuSecondsOf } from './child.mjs';
import { Generator, readLoad, SPREAD } from './load.mjs';
import { startPlanes } from './planes.mjs';

export const PROTOCOLS = { h1: 'HTTP/1.1', h2: 'HTTP/2' };

/** So many answers a server gives before it is measured: until then much of its time goes into compiling what it runs. */
const WARM_UP = { read: 10_000, list: 50, write: 10_000, watch: 60_000 };
const MOST_WARM_UP_ROUNDS = 8;

/** One workload over both protocols: rounds of ours and the floor in turn, on servers started for it. */
export async function measure(workload, { rounds, seconds, warmth, flags = [] }) {
  const planes = await startPlanes(flags);
  const generator = new Generator();
  try {
    const job = await workload.prepare(planes, generator);
    await planes.floor.answerWith(job.answer);
    const load = LOADS[job.kind](generator, job);
    const results = [];
    for (const protocol of workload.protocols ?? Object.keys(PROTOCOLS)) {
      const run = (target) => load(target, protocol, seconds);
      await warmUp(planes, WARM_UP[job.kind] * warmth, run);
      results.push({ name: workload.name, protocol, kind: job.kind, ...(await compare(planes, rounds, run)) });
    }
    return results;
  } finally {
    generator.stop();
    await planes.stop();
  }
}

async function compare({ ours, floor }, rounds, load) {
  const measured = { ours: [], floor: [] };
  for (let round = 0; round < rounds; round++) {
    measured.ours.push(await load(ours));
    measured.floor.push(await load(floor));
  }
  return measured;
}

/** Not for ever: on a machine that has no time for it a cold figure is better than none. */
async function warmUp({ ours, floor }, answers, load) {
  for (const target of [ours, floor]) {
    for (let round = 0, given = 0; given < answers && round < MOST_WARM_UP_ROUNDS; round++) {
      given += (await load(target)).answers;
    }
  }
}

/** By kind of job: a function that loads one server for a while and gives the figures of that round. */
const LOADS = { read, list, write, watch };

function read(generator, { request }) {
  const run = readLoad(generator);
  return (target, protocol, seconds) =>
    observed(target, () => run({ ...SPREAD.read[protocol], protocol, port: target.port, seconds, request }));
}

/** A list that was under way at the end counts by what of it arrived. */
function list(generator, { request, answer }) {
  const run = readLoad(generator);
  const { length } = answer.body;
  return async (target, protocol, seconds) => {
    const figures = await observed(target, async () => {
      const result = await run({ ...SPREAD.list[protocol], protocol, port: target.port, seconds, request });
      return { ...result, answers: result.bytes / length };
    });
    return { ...figures, rate: figures.rate * length };
  };
}

function write(generator, { request, objects, answer }) {
  const leastBytes = answer.body.length / 2;
  return async (target, protocol, seconds) => {
    const job = { ...SPREAD.write[protocol], protocol, port: target.port, seconds, request, objects, leastBytes };
    await generator.ask('open', job);
    return observed(target, () => generator.ask('load', job));
  };
}

function watch(generator, { request, objects, count, answer, watchFromNow }) {
  const leastBytes = answer.body.length / 2;
  return async ({ pid, port }, protocol) => {
    const watches = { ...SPREAD.watch[protocol], protocol, port };
    await generator.ask('watch', { ...watches, request: await watchFromNow() });
    const changes = { ...SPREAD.change[protocol], protocol, port, request, objects, count, leastBytes };
    const watchers = watches.connections * watches.streams;
    const figures = await observed({ pid }, () => generator.ask('burst', { ...changes, watchers }));
    await generator.ask('unwatch');
    return figures;
  };
}

/** The rate of a load, the server's processor time for each answer, and how busy the generator itself was. */
async function observed({ pid }, load) {
  const before = cpuSecondsOf(pid);
  const { answers, failed, seconds, cpuSeconds } = await load();
  const cpu = cpuSecondsOf(pid) - before;
  const cpuMicros = (cpu * 1e6) / answers;
  return { answers, failed, rate: answers / seconds, cpuMicros, generatorBusy: cpuSeconds / seconds };
}
