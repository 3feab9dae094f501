import type { AnyObject } from '../../../client/plane-client.ts';
import { isRefusal } from '../../../client/plane-client.ts';
import { duration, optionalText, text } from '../../../settings/flag.ts';
import { command } from '../frame/command.ts';
import { CommandError, throwFailures } from '../frame/failure.ts';
import { onOff } from '../frame/flags.ts';
import { Progress } from '../frame/progress.ts';
import type { Session } from '../frame/session.ts';
import { OUTPUT_FLAGS, type OutputFlags } from '../print/output-flags.ts';
import { printOutcome } from '../print/print-objects.ts';
import { SELECTION_FLAGS, type SelectedObject, selectObjects } from '../resources/selection.ts';
import { readCondition, type WaitCondition } from '../watching/conditions.ts';
import { Deadline } from '../watching/deadline.ts';
import { statesOf } from '../watching/watched-list.ts';

const THIRTY_SECONDS = 30_000;

/** As `duration`; below zero stands for a week. */
const patience = {
  ...duration('timeout', THIRTY_SECONDS, 'how long to wait; 0 looks once, below zero waits a week'),
  read: (given: string): number => {
    if (/^-\d/.test(given)) return -1;
    return duration('timeout', THIRTY_SECONDS, '').read(given);
  },
};

export const wait = command({
  usage:
    'wait ([-f FILE] | TYPE/NAME | TYPE [(-l label | --all)]) --for=create|delete|condition=NAME[=VALUE]|jsonpath={PATH}[=VALUE]',
  about: 'Waits until objects are as they should be: there, gone, or in a condition.',
  examples: [
    ['Wait until a pod is ready', 'wait --for=condition=Ready pod/web-1'],
    ['Wait until a field has a value', "wait --for=jsonpath='{.status.phase}'=Running pod/web-1"],
    ['Wait for at most a minute until a pod is gone', 'wait --for=delete pod/web-1 --timeout=60s'],
  ],
  flags: {
    ...SELECTION_FLAGS,
    ...OUTPUT_FLAGS,
    fieldSelector: optionalText('field-selector', 'SELECTOR', 'fields that the objects have'),
    for: text('for', 'CONDITION', '', 'create, delete, condition=NAME[=VALUE] or jsonpath={PATH}[=VALUE]'),
    timeout: patience,
    local: onOff('local', false, 'taken for the sake of scripts'),
  },
  async run({ args, flags, session }) {
    const condition = readCondition(flags.for);
    const deadline = new Deadline(session, flags.timeout);
    try {
      const objects = await selectObjects(session, { args, ...flags });
      if (objects.length === 0 && condition.kind !== 'delete') throw new CommandError('no matching resources found');
      await waitForAll(session, objects, condition, deadline, flags);
    } finally {
      deadline.close();
    }
  },
});

async function waitForAll(
  session: Session,
  objects: readonly SelectedObject[],
  condition: WaitCondition,
  deadline: Deadline,
  flags: OutputFlags & { readonly timeout: number },
): Promise<void> {
  const { io, runtime } = session;
  const progress = new Progress({ io, now: () => runtime.monotonic(), what: 'waiting', total: objects.length });
  const failures: unknown[] = [];
  let count = 0;
  for (const object of objects) {
    await progress.note(`${object.resource.plural}/${object.name}`);
    try {
      const met = await waitFor(session, object, condition, deadline, flags.timeout);
      await progress.clear();
      if (met) await printOutcome(session, met, 'condition met', flags, { count: count++ });
    } catch (error) {
      failures.push(error);
    }
    await progress.step();
  }
  await progress.clear();
  deadline.demandPatience();
  throwFailures(failures);
}

/** The object when the condition is met; undefined where it was gone before anybody looked. */
async function waitFor(
  session: Session,
  object: SelectedObject,
  condition: WaitCondition,
  deadline: Deadline,
  timeout: number,
): Promise<AnyObject | undefined> {
  const { resource, namespace, name } = object;
  const at = `${resource.plural}/${name}`;
  const client = await session.client();
  const first = await client.get<AnyObject>({ kind: resource, namespace, name }).catch((error: unknown) => {
    const isGone = isRefusal(error, 'NotFound');
    if (isGone && (condition.kind === 'delete' || condition.kind === 'create')) return undefined;
    throw error;
  });
  if (!first && condition.kind === 'delete') return undefined;
  if (timeout === 0) {
    if (condition.isMet(first)) return first;
    throw new CommandError(condition.kind === 'create' ? 'condition not met' : `condition not met for ${at}`);
  }
  const late = new CommandError(
    condition.kind === 'create'
      ? 'timed out waiting for the condition'
      : `timed out waiting for the condition on ${at}`,
  );
  if (deadline.isOver) throw late;
  let last = first;
  for await (const state of statesOf(session, object, deadline.signal)) {
    if (condition.isMet(state, first)) return state ?? last;
    last = state ?? last;
  }
  deadline.demandPatience();
  throw late;
}
