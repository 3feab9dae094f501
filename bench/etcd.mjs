/** What a request costs over etcd, server and etcd together, beside the embedded store in the same run. */
import { cpuSecondsOf, stop } from './child.mjs';
import { startEtcd } from './etcd-member.mjs';
import { Generator, SPREAD } from './load.mjs';
import { AUTHORIZATION, caller, makeDataDir, readyLine, spawnServer } from './planes.mjs';
import { workloads } from './workloads.mjs';

/** The rows of the table, by the workload that each of them is; lists have a length of their own here. */
const JOBS = [
  { name: 'GET, 16 clients', workload: 'get configmap', spread: { connections: 16, streams: 1 } },
  { name: 'GET, 256 clients', workload: 'get configmap', spread: { connections: 256, streams: 1 } },
  { name: 'list of 2,000', workload: 'get configmap', spread: SPREAD.list.h1, prepare: prepareList },
  { name: 'merge patch', workload: 'merge patch configmap', spread: SPREAD.write.h1 },
  { name: 'apply', workload: 'apply to configmap', spread: SPREAD.write.h1 },
  { name: 'create', workload: 'create configmap', spread: SPREAD.write.h1 },
  { name: 'watch event (100 watchers)', workload: 'watch fan-out', spread: SPREAD.change.h1 },
];
const LISTED = 2000;
const WARM_UP_ANSWERS = { read: 8_000, list: 60, write: 6_000, watch: 30_000 };
const MOST_WARM_UP_ROUNDS = 8;

/** A server over the embedded store, or over an etcd of its own. */
async function startPlane(kind) {
  const data = makeDataDir();
  const etcd = kind === 'etcd' ? await startEtcd() : undefined;
  const child = spawnServer(data.directory, 0, etcd ? ['--etcd-servers', etcd.url] : []);
  const port = await readyLine(child);
  const generator = new Generator();
  return {
    generator,
    etcd,
    ours: { pid: child.pid, port, call: caller(data.directory, port) },
    async stop() {
      generator.stop();
      await stop(child);
      await etcd?.stop();
      data.remove();
    },
  };
}

async function prepareList(planes, generator) {
  await workloads.find(({ name }) => name === 'get configmap').prepare(planes, generator);
  const more = { metadata: { name: 'more' } };
  await planes.ours.call('POST', '/api/v1/namespaces', more);
  const path = '/api/v1/namespaces/more/configmaps';
  const body = JSON.stringify({ metadata: { name: 'listed-{serial}' }, data: { text: 'x'.repeat(1500) } });
  const headers = { ...AUTHORIZATION, 'content-type': 'application/json' };
  const request = { method: 'POST', path, headers, body };
  await generator.ask('load', {
    protocol: 'h1',
    port: planes.ours.port,
    connections: 32,
    streams: 1,
    count: LISTED,
    request,
  });
  const answer = await planes.ours.call('GET', path);
  return { kind: 'list', request: { method: 'GET', path, headers: AUTHORIZATION }, answer };
}

/** One round of load on a plane; processor time for each answer, of the server and of etcd. */
async function round(plane, job, spread, seconds) {
  const { ours, etcd, generator } = plane;
  const common = { protocol: 'h1', port: ours.port, leastBytes: job.answer.body.length / 2, request: job.request };
  const { objects, count, kind } = job;
  if (kind === 'watch') {
    const request = await job.watchFromNow();
    await generator.ask('watch', { ...SPREAD.watch.h1, protocol: 'h1', port: ours.port, request });
  }
  const load =
    kind === 'watch'
      ? { ...common, ...spread, objects, count, watchers: SPREAD.watch.h1.connections }
      : { ...common, ...spread, objects, seconds };
  await generator.ask('open', load);
  const askedBefore = await questionsTo(etcd);
  const before = spentBy(plane);
  const { answers, failed, seconds: took } = await generator.ask(kind === 'watch' ? 'burst' : 'load', load);
  const after = spentBy(plane);
  const asked = (await questionsTo(etcd)) - askedBefore;
  if (kind === 'watch') await generator.ask('unwatch');
  const micros = (whose) => ((after[whose] - before[whose]) * 1e6) / answers;
  return { answers, failed, rate: answers / took, server: micros('server'), etcd: etcd ? micros('etcd') : 0, asked };
}

/** How often etcd has been asked for something by a key or where it stands, by its own count. */
async function questionsTo(etcd) {
  if (etcd === undefined) return 0;
  const text = await (await fetch(`${etcd.url}/metrics`)).text();
  return Number(/^grpc_server_handled_total\{grpc_code="OK",grpc_method="Range".*\} (\S+)$/m.exec(text)?.[1] ?? 0);
}

const spentBy = ({ ours, etcd }) => ({ server: cpuSecondsOf(ours.pid), etcd: etcd ? cpuSecondsOf(etcd.pid) : 0 });

async function measureJob({ name, workload, spread, prepare }, { rounds, seconds, warmth }) {
  const planes = { embedded: await startPlane('embedded'), etcd: await startPlane('etcd') };
  try {
    const jobs = {};
    for (const [kind, plane] of Object.entries(planes)) {
      const make = prepare ?? workloads.find((one) => one.name === workload).prepare;
      jobs[kind] = await make(plane, plane.generator);
      const enough = WARM_UP_ANSWERS[jobs[kind].kind] * warmth;
      for (let at = 0, given = 0; given < enough && at < MOST_WARM_UP_ROUNDS; at++) {
        given += (await round(plane, jobs[kind], spread, seconds)).answers;
      }
    }
    const results = { name, embedded: [], etcd: [] };
    for (let at = 0; at < rounds; at++) {
      for (const [kind, plane] of Object.entries(planes)) {
        results[kind].push(await round(plane, jobs[kind], spread, seconds));
      }
    }
    return results;
  } finally {
    await Promise.all(Object.values(planes).map((plane) => plane.stop()));
  }
}

export const etcdJobs = (wanted) => JOBS.filter(({ name }) => wanted.test(name));

/** By row: the figures of every round on both stores. */
export const measureOverEtcd = measureJob;
