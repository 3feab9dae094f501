import { cpuSecondsOf } from './child.mjs';
import { Generator, readLoad, SPREAD } from './load.mjs';
import { startPlanes } from './planes.mjs';

export const PROTOCOLS = { h1: 'HTTP/1.1', h2: 'HTTP/2' };

/** One workload over both protocols: rounds of ours and the floor in turn, on servers started for it. */
export async function measure(workload, { rounds, seconds }) {
  const planes = await startPlanes();
  const generator = new Generator();
  try {
    const job = await workload.prepare(planes, generator);
    await planes.floor.answerWith(job.answer);
    const load = LOADS[job.kind](generator, job);
    const results = [];
    for (const protocol of Object.keys(PROTOCOLS)) {
      const warmUp = await compare(planes, 1, (target) => load(target, protocol, seconds));
      const measured = await compare(planes, rounds, (target) => load(target, protocol, seconds));
      const failed = failuresOf(warmUp) + failuresOf(measured);
      results.push({ name: workload.name, protocol, kind: job.kind, failed, ...measured });
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

const failuresOf = ({ ours, floor }) => [...ours, ...floor].reduce((sum, { failed }) => sum + failed, 0);

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
  return (target, protocol, seconds) => {
    const job = { ...SPREAD.write[protocol], protocol, port: target.port, seconds, request, objects, leastBytes };
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
  return { rate: answers / seconds, cpuMicros: (cpu * 1e6) / answers, generatorBusy: cpuSeconds / seconds, failed };
}
