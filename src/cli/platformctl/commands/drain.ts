import type { Node } from '../../../kinds/core/node/node.ts';
import { duration, integer, optionalText } from '../../../settings/flag.ts';
import { Plane } from '../describe/plane.ts';
import { type EvictionSettings, Evictions } from '../drain/evict.ts';
import { cordonNode, NODE_FLAGS, nodesOf } from '../drain/nodes.ts';
import { type DrainFlags, planEvictions } from '../drain/pods-to-evict.ts';
import { command } from '../frame/command.ts';
import { SeveralFailures, throwFailures } from '../frame/failure.ts';
import { onOff } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import { Progress } from '../frame/progress.ts';
import type { Session } from '../frame/session.ts';
import { outcomeWord, WRITE_FLAGS } from '../frame/write-flags.ts';
import { ObjectWrites } from '../resources/object-writes.ts';
import { Deadline } from '../watching/deadline.ts';

const FOR_EVER = -1;

/** As `integer`, also below zero. */
const gracePeriod = {
  ...integer('grace-period', -1, 2 ** 31 - 1, -1, 'seconds that pods have to end; below zero for what they say'),
  read: (given: string): number =>
    /^-\d+$/.test(given) ? -1 : integer('grace-period', 0, 2 ** 31 - 1, 0, '').read(given),
};

export const drain = command({
  usage: 'drain NODE',
  about:
    'Empties a node: no pods are placed on it any more, and those on it are evicted, as budgets for disruption allow. ' +
    'What would be lost for good has to be allowed by flags.',
  examples: [['Empty a node before work on it', 'drain node-1 --ignore-daemonsets']],
  flags: {
    selector: NODE_FLAGS.selector,
    dryRun: WRITE_FLAGS.dryRun,
    force: onOff('force', false, 'also evict pods that no controller makes anew'),
    ignoreDaemonsets: onOff('ignore-daemonsets', false, 'leave pods of daemon sets alone'),
    deleteEmptydirData: onOff('delete-emptydir-data', false, 'also evict pods whose data is lost with them'),
    disableEviction: onOff('disable-eviction', false, 'delete pods whatever budgets for disruption say'),
    gracePeriod,
    timeout: duration('timeout', 0, 'how long to wait before giving up; 0 for ever'),
    podSelector: optionalText('pod-selector', 'SELECTOR', 'labels of the pods that are evicted'),
    skipWaitForDeleteTimeout: integer(
      'skip-wait-for-delete-timeout',
      0,
      2 ** 31 - 1,
      0,
      'seconds after which pods that are being deleted are not waited for',
    ),
    chunkSize: integer('chunk-size', 0, 1_000_000, 500, 'objects to ask for at once; taken for the sake of scripts'),
  },
  async run({ args, flags, session }) {
    const { nodes, failures } = await nodesOf(session, 'drain', args, flags.selector);
    throwFailures(failures);
    const writes = await ObjectWrites.of(session, { dryRun: flags.dryRun });
    for (const node of nodes) await cordonNode(session, writes, node, true, flags.dryRun);
    const deadline = new Deadline(session, flags.timeout === 0 ? FOR_EVER : flags.timeout);
    try {
      await drainAll(session, writes, nodes, flags, deadline);
    } finally {
      deadline.close();
    }
  },
});

async function drainAll(
  session: Session,
  writes: ObjectWrites,
  nodes: readonly Node[],
  flags: DrainFlags & EvictionSettings,
  deadline: Deadline,
): Promise<void> {
  const pending: string[] = [];
  const failures: unknown[] = [];
  for (const { metadata } of nodes) {
    const { name = '' } = metadata;
    const problems = await drainNode(session, writes, name, flags, deadline);
    if (problems.length === 0) {
      await write(session.io.stdout, `node/${name} ${outcomeWord('drained', flags.dryRun)}\n`);
      continue;
    }
    pending.push(name);
    failures.push(...problems);
    const texts = problems.map((problem) => problem.message);
    const shown = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
    await write(
      session.io.stderr,
      `error: unable to drain node ${JSON.stringify(name)} due to error: ${shown}, continuing command...\n`,
    );
  }
  if (pending.length === 0) return;
  await write(
    session.io.stderr,
    `There are pending nodes to be drained:\n${pending.map((name) => ` ${name}\n`).join('')}`,
  );
  throw new SeveralFailures(failures);
}

/** Evicts the pods of a node, and gives what kept it from being drained. */
async function drainNode(
  session: Session,
  writes: ObjectWrites,
  node: string,
  flags: DrainFlags & EvictionSettings,
  deadline: Deadline,
): Promise<Error[]> {
  const { io, runtime } = session;
  const resources = await session.resources();
  const plane = new Plane(await session.client(), resources);
  const plan = await planEvictions(plane, node, flags, await session.vocabulary(), runtime.now());
  if (plan.problems.length > 0) return plan.problems.map((problem) => new Error(problem));
  if (plan.warning !== '') await write(io.stderr, `Warning: ${plan.warning}\n`);
  const evictions = new Evictions(session, writes, resources.named('pods'), flags, deadline);
  const total = plan.evicted.length;
  const progress = new Progress({ io, now: () => runtime.monotonic(), what: 'evicting', total });
  const outcomes = await Promise.allSettled(
    plan.evicted.map(async (pod) => {
      await evictions.evict(pod);
      await progress.step(pod.metadata.name);
    }),
  );
  await progress.clear();
  return outcomes.flatMap((outcome) => {
    if (outcome.status === 'fulfilled') return [];
    return outcome.reason instanceof Error ? outcome.reason : new Error(String(outcome.reason));
  });
}
