/** `npm run bench`: every hot path against the floor, then start-up and memory. Prints figures; it is not a test. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureAdmission } from './admission.mjs';
import { measureAuthorization } from './authorization.mjs';
import { etcdJobs, measureOverEtcd } from './etcd.mjs';
import { measure } from './measure.mjs';
import { measureCommandLine } from './platformctl.mjs';
import { measurePolicies } from './policies.mjs';
import {
  admissionTable,
  authorizationTable,
  commandLineTable,
  etcdRowOf,
  etcdTable,
  policiesTable,
  rowOf,
  stagesTable,
  startupTable,
  summarise,
  testPlaneTable,
  workloadTable,
} from './report.mjs';
import { measureStages } from './stages.mjs';
import { measureStartup } from './startup.mjs';
import { measureTestPlane } from './test-plane.mjs';
import { workloads } from './workloads.mjs';

/** `warmth` is the part of a full warm-up that a server gets. */
const FULL = {
  ...{ rounds: 5, seconds: 3, warmth: 1, starts: 9, idleMs: 5000 },
  ...{ fakeNodes: 1000, fakePods: 10_000, heartbeatSeconds: 60 },
};
const QUICK = {
  ...{ rounds: 3, seconds: 1, warmth: 0.3, starts: 3, idleMs: 3000 },
  ...{ fakeNodes: 100, fakePods: 1000, heartbeatSeconds: 10 },
};

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    // Only the price of requests over etcd, beside the embedded store.
    etcd: { type: 'boolean', default: false },
  },
});
const effort = values.quick ? QUICK : FULL;
const wanted = new RegExp(values.only);
const begun = new Date();

/** What cannot be measured is told and left out: these are figures, not a test. */
async function attempt(name, measuring) {
  try {
    return await measuring();
  } catch (error) {
    console.error(`${name}: ${error.message}`);
    return undefined;
  }
}

if (values.etcd) {
  const rows = [];
  for (const job of etcdJobs(wanted)) {
    const results = await attempt(job.name, () => measureOverEtcd(job, effort));
    if (results === undefined) continue;
    rows.push(results);
    console.error(etcdRowOf(results).join('  '));
  }
  console.log(`\n${etcdTable(rows)}`);
  keep({ begun, node: process.version, cores: cpus().length, effort, overEtcd: rows });
  process.exit(0);
}

const summaries = [];
for (const workload of workloads.filter(({ name }) => wanted.test(name))) {
  const results = (await attempt(workload.name, () => measure(workload, effort))) ?? [];
  for (const figures of results.map(summarise)) {
    summaries.push(figures);
    console.error(rowOf(figures).join('  '));
  }
}

/** What is measured once, by its name: the figures, and the table that shows them. */
const OTHERS = {
  authorization: [measureAuthorization, authorizationTable],
  admission: [measureAdmission, admissionTable],
  policies: [measurePolicies, policiesTable],
  'start-up': [measureStartup, startupTable],
  'command line': [measureCommandLine, commandLineTable],
  'test plane': [measureTestPlane, testPlaneTable],
  stages: [measureStages, stagesTable],
};
const others = {};
const tables = summaries.length > 0 ? [workloadTable(summaries)] : [];
for (const [name, [measureIt, tableOf]] of Object.entries(OTHERS).filter(([name]) => wanted.test(name))) {
  const figures = await attempt(name, () => measureIt(effort));
  if (figures === undefined) continue;
  others[name] = figures;
  tables.push(tableOf(figures));
}
for (const table of tables) console.log(`\n${table}`);
keep({ begun, node: process.version, cores: cpus().length, effort, summaries, ...others });

function keep(results) {
  const directory = new URL('./results/', import.meta.url);
  mkdirSync(directory, { recursive: true });
  const file = new URL(`${begun.toISOString().replaceAll(':', '-')}.json`, directory);
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  console.log(`\nkept in ${relative(process.cwd(), fileURLToPath(file))}`);
}
