import type { AnyObject } from '../../../client/plane-client.ts';
import type { DaemonSet } from '../../../kinds/apps/daemon-set.ts';
import type { Deployment } from '../../../kinds/apps/deployment.ts';
import type { StatefulSet } from '../../../kinds/apps/stateful-set.ts';
import { duration, integer } from '../../../settings/flag.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { command } from '../frame/command.ts';
import { CommandError, throwFailures } from '../frame/failure.ts';
import { onOff, short } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import type { SelectedObject } from '../resources/selection.ts';
import {
  daemonSetProgress,
  deploymentProgress,
  type RolloutProgress,
  statefulSetProgress,
} from '../rollout/progress.ts';
import { isRolledOut, live, ROLLOUT_FLAGS, rolloutObjects } from '../rollout/selection.ts';
import { Deadline } from '../watching/deadline.ts';
import { statesOf } from '../watching/watched-list.ts';

const FOR_EVER = -1;

export const rolloutStatus = command({
  usage: 'rollout status (TYPE NAME | TYPE/NAME)',
  about: 'Shows how far a rollout is, and waits until it is through unless --watch=false says otherwise.',
  examples: [['Wait for a deployment', 'rollout status deployment/web']],
  flags: {
    ...ROLLOUT_FLAGS,
    watch: short('w', onOff('watch', true, 'wait until the rollout is through')),
    revision: integer('revision', 0, 2 ** 31 - 1, 0, 'fail when another revision is rolled out; 0 for any'),
    timeout: duration('timeout', 0, 'how long to wait; 0 for as long as it takes'),
  },
  async run({ args, flags, session }) {
    const failures: unknown[] = [];
    for (const object of await rolloutObjects(session, args, flags)) {
      await follow(session, object, flags).catch((error: unknown) => failures.push(error));
    }
    throwFailures(failures);
  },
});

interface StatusFlags {
  readonly watch: boolean;
  readonly revision: number;
  readonly timeout: number;
}

async function follow(session: Session, object: SelectedObject, flags: StatusFlags): Promise<void> {
  const { kind } = object.resource;
  if (!isRolledOut(object)) throw new CommandError(`no status viewer has been implemented for ${kind}`);
  const vocabulary = await session.vocabulary();
  const show = async (state: AnyObject): Promise<boolean> => {
    const { text, isDone } = progressOf(kind, state, flags.revision, vocabulary);
    await write(session.io.stdout, `${text}\n`);
    return isDone;
  };
  if (!flags.watch) {
    await show(await live(session, object));
    return;
  }
  await live(session, object);
  const deadline = new Deadline(session, flags.timeout === 0 ? FOR_EVER : flags.timeout);
  try {
    for await (const state of statesOf(session, object, deadline.signal)) {
      if (!state) throw new CommandError('object has been deleted');
      if (await show(state)) return;
    }
    deadline.demandPatience();
    throw new CommandError('timed out waiting for the condition');
  } finally {
    deadline.close();
  }
}

function progressOf(kind: string, state: AnyObject, revision: number, vocabulary: Vocabulary): RolloutProgress {
  switch (kind) {
    case 'Deployment':
      return deploymentProgress(state as Deployment, revision, vocabulary);
    case 'DaemonSet':
      return daemonSetProgress(state as DaemonSet);
    default:
      return statefulSetProgress(state as StatefulSet);
  }
}
