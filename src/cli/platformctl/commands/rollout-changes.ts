import type { Deployment } from '../../../kinds/apps/deployment.ts';
import { optionalText } from '../../../settings/flag.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import { eachWritten } from '../resources/each-written.ts';
import { ObjectWrites } from '../resources/object-writes.ts';
import { isRolledOut, live, quotedName, ROLLOUT_FLAGS, rolloutObjects } from '../rollout/selection.ts';

const MANAGER = 'platformctl-rollout';

const FLAGS = {
  ...ROLLOUT_FLAGS,
  ...OUTPUT_FLAGS,
  fieldManager: optionalText('field-manager', 'NAME', 'who manages the fields that are written'),
};

/** Pauses deployments, or lets paused ones go on. */
const pausing = (name: string, isPaused: boolean, doing: string, done: string, already: string, about: string) =>
  command({
    usage: `rollout ${name} (TYPE NAME | TYPE/NAME)`,
    about,
    flags: FLAGS,
    async run({ args, flags, session }) {
      const objects = await rolloutObjects(session, args, flags);
      const writes = await ObjectWrites.of(session, { dryRun: 'none', fieldManager: flags.fieldManager ?? MANAGER });
      await eachWritten(session, objects, flags, doing, async (object) => {
        if (!isRolledOut(object, 'Deployment')) {
          throw new CommandError(`${quotedName(object)} ${doing} is not supported`);
        }
        const { spec } = (await live(session, object)) as Deployment;
        if ((spec.paused ?? false) === isPaused) throw new CommandError(`${quotedName(object)} ${already}`);
        const target = { kind: object.resource, namespace: object.namespace, name: object.name };
        const patch = { spec: { paused: isPaused ? true : null } };
        return { object: await writes.patch(target, 'strategic', patch), done };
      });
    },
  });

export const rolloutPause = pausing(
  'pause',
  true,
  'pausing',
  'paused',
  'is already paused',
  'Keeps controllers from rolling a deployment out until it is resumed.',
);
export const rolloutResume = pausing(
  'resume',
  false,
  'resuming',
  'resumed',
  'is not paused',
  'Lets a paused deployment be rolled out again.',
);

export const rolloutRestart = command({
  usage: 'rollout restart (TYPE NAME | TYPE/NAME)',
  about: 'Has all pods of a workload made anew, the way a change of its template is rolled out.',
  examples: [['Restart a deployment', 'rollout restart deployment/web']],
  flags: FLAGS,
  async run({ args, flags, session }) {
    const objects = await rolloutObjects(session, args, flags);
    const { annotations } = await session.vocabulary();
    const writes = await ObjectWrites.of(session, { dryRun: 'none', fieldManager: flags.fieldManager ?? MANAGER });
    const restartedAt = new Date(session.runtime.now()).toISOString().replace(/\.\d+Z$/, 'Z');
    await eachWritten(session, objects, flags, 'restarting', async (object) => {
      if (!isRolledOut(object)) throw new CommandError(`${quotedName(object)} restarting is not supported`);
      const { spec } = (await live(session, object)) as Deployment;
      if (spec.paused) {
        throw new CommandError(`${quotedName(object)} can't restart paused deployment (run rollout resume first)`);
      }
      if (spec.template.metadata.annotations?.[annotations.restartedAt] === restartedAt) {
        throw new CommandError(
          `failed to create patch for ${object.name}: if restart has already been triggered within the past second, please wait before attempting to trigger another`,
        );
      }
      const target = { kind: object.resource, namespace: object.namespace, name: object.name };
      const patch = { spec: { template: { metadata: { annotations: { [annotations.restartedAt]: restartedAt } } } } };
      return { object: await writes.patch(target, 'strategic', patch), done: 'restarted' };
    });
  },
});
