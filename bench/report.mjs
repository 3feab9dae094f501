import { PROTOCOLS } from './measure.mjs';

/** A generator busier than this may be what limits the rate. */
const BUSY = 0.9;

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The figures of one workload over one protocol, over all rounds. Ratios are taken within a round, then their median. */
export function summarise({ name, protocol, kind, ours, floor }) {
  const over = (rounds, figure) => median(rounds.map((round) => round[figure]));
  return {
    name,
    protocol: PROTOCOLS[protocol],
    kind,
    failed: [...ours, ...floor].reduce((sum, { failed }) => sum + failed, 0),
    rate: over(ours, 'rate'),
    floorRate: over(floor, 'rate'),
    ratio: median(ours.map(({ rate }, at) => rate / floor[at].rate)),
    cpuMicros: over(ours, 'cpuMicros'),
    floorCpuMicros: over(floor, 'cpuMicros'),
    cpuRatio: median(ours.map(({ cpuMicros }, at) => floor[at].cpuMicros / cpuMicros)),
    generatorBound: [over(ours, 'generatorBusy') > BUSY, over(floor, 'generatorBusy') > BUSY],
  };
}

const whole = (number) => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ',');
const share = (ratio) => `${Math.round(ratio * 100)} %`;

const COLUMNS = ['', '', 'ours', 'floor', 'ratio', 'CPU µs ours', 'CPU µs floor', 'CPU ratio'];

export const rowOf = (figures) => {
  const { kind, generatorBound, failed } = figures;
  const rate = (number, bound) =>
    `${kind === 'list' ? `${whole(number / 1e6)} MB` : whole(number)}/s${bound ? ' *' : ''}`;
  return [
    failed > 0 ? `${figures.name} (${failed} FAILED)` : figures.name,
    figures.protocol,
    rate(figures.rate, generatorBound[0]),
    rate(figures.floorRate, generatorBound[1]),
    share(figures.ratio),
    whole(figures.cpuMicros),
    whole(figures.floorCpuMicros),
    share(figures.cpuRatio),
  ];
};

export function workloadTable(summaries) {
  const note = '\n\n* the load generator was as busy as the server: the server may be able to do more';
  const bound = summaries.some(({ generatorBound }) => generatorBound.includes(true));
  return `${table(COLUMNS, summaries.map(rowOf))}${bound ? note : ''}`;
}

export function startupTable(starts) {
  const rows = Object.entries(starts).map(([name, results]) => {
    const over = (figure) => whole(median(results.map((result) => result[figure])));
    const { megabytes } = results[0];
    return [
      START_NAMES[name],
      `${over('lineMs')} ms`,
      `${over('readyMs')} ms`,
      `${over('cpuMs')} ms`,
      `${whole(megabytes)} MB`,
    ];
  });
  return table(['start', 'ready line', 'first /readyz', 'CPU', 'idle memory'], rows);
}

export function authorizationTable(questions) {
  const rows = questions.map(({ name, cpuMicros }) => [name, '', median(cpuMicros).toFixed(2)]);
  return table(['decision, 5,000 bindings stored', '', 'CPU µs'], rows);
}

export function admissionTable(creations) {
  const rows = creations.map(({ name, on, off, share }) => [
    name,
    '',
    whole(median(on)),
    whole(median(off)),
    `${whole(100 * median(share))} %`,
  ]);
  return table(['creation, in process', '', 'CPU µs, plugins on', 'off', 'share of admission'], rows);
}

/** What is asked of a test plane, in milliseconds on the clock. */
const MOST_MS = { 'first start': 250, 'next start': 40, 'restore, 1000 objects': 5 };

export function testPlaneTable(figures) {
  const rows = Object.entries(figures).map(([what, { wall, cpu }]) => {
    const bound = Object.entries(MOST_MS).find(([name]) => what.startsWith(name))?.[1];
    return [what, '', wall.toFixed(1), cpu.toFixed(1), bound === undefined ? '' : String(bound)];
  });
  return table(['a test plane', '', 'ms', 'CPU ms', 'at most'], rows);
}

export function stagesTable({ fakeNodes, fakePods, nodes, pods, share: ofOneCore, megabytes }) {
  const rows = [
    [`${whole(fakeNodes)} nodes are ready`, '', `${nodes.wall.toFixed(1)} s`, `${nodes.cpu.toFixed(1)} s`],
    [`${whole(fakePods)} pods are made and ready`, '', `${pods.wall.toFixed(1)} s`, `${pods.cpu.toFixed(1)} s`],
    ['leases and heartbeats of all', '', '', `${(100 * ofOneCore).toFixed(1)} % of one core`],
    ['memory of the process', '', `${whole(megabytes)} MB`, ''],
  ];
  return table(['fake nodes and pods', '', 'takes', 'CPU'], rows);
}

export function policiesTable({ none, fifty, one }) {
  const rows = [
    ['none', '', none.toFixed(1), ''],
    ['50 that do not match', '', `+${fifty.toFixed(1)}`, `${((100 * fifty) / none).toFixed(1)} %, at most 5 %`],
    ['one that matches', '', `+${one.toFixed(1)}`, 'at most 30 µs'],
  ];
  return table(['policies, at the creation of a configmap', '', 'CPU µs', ''], rows);
}

export function commandLineTable(programs) {
  const [bare] = Object.values(programs);
  const over = (runs, figure) => median(runs.map((run) => run[figure]));
  const rows = Object.entries(programs).map(([name, runs]) => [
    name,
    '',
    whole(over(runs, 'wall')),
    times(over(runs, 'wall') / over(bare, 'wall')),
    whole(over(runs, 'cpu')),
    times(over(runs, 'cpu') / over(bare, 'cpu')),
  ]);
  return table(['a short command', '', 'ms', 'by a bare start', 'CPU ms', 'by a bare start'], rows);
}

const times = (ratio) => `${ratio.toFixed(2)}x`;

/** Processor time for one answer, in microseconds: over the embedded store, and over etcd by server and etcd. */
export function etcdRowOf({ name, embedded, etcd }) {
  const over = (rounds, figure) => median(rounds.map((one) => one[figure]));
  const ratio = (cost) => median(etcd.map((one, at) => cost(one) / embedded[at].server));
  const failed = [...embedded, ...etcd].reduce((sum, one) => sum + one.failed, 0);
  return [
    failed > 0 ? `${name} (${failed} FAILED)` : name,
    '',
    whole(over(embedded, 'server')),
    whole(over(etcd, 'server')),
    whole(over(etcd, 'etcd')),
    whole(median(etcd.map((one) => one.server + one.etcd))),
    times(ratio((one) => one.server)),
    times(ratio((one) => one.server + one.etcd)),
    shareOf(median(etcd.map((one) => one.answers / one.asked))),
  ];
}

/** Changes ask nothing. */
const shareOf = (answers) => (Number.isFinite(answers) ? answers.toFixed(1) : '-');

const ETCD_COLUMNS = [
  'CPU µs',
  '',
  'embedded',
  'server over etcd',
  'etcd',
  'together',
  'server by embedded',
  'together',
  'answers for a question',
];

export const etcdTable = (results) => table(ETCD_COLUMNS, results.map(etcdRowOf));

const START_NAMES = { fresh: 'ours, empty data directory', restart: 'ours, again', floor: 'floor' };

/** A table that reads well on a terminal and is Markdown. */
function table(head, rows) {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)));
  const line = (cells) =>
    `| ${cells.map((cell, at) => (at < 2 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, at) => (at < 2 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
