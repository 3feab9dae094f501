import { ApiError } from '../../../api/errors.ts';
import { type AnyObject, isRefusal } from '../../../client/plane-client.ts';
import type { Target } from '../../../client/served-kind.ts';
import { sleep } from '../../../runtime/runtime.ts';
import { duration, type Flag, optionalText } from '../../../settings/flag.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import type { Session } from '../frame/session.ts';
import { outcomeWord, WRITE_FLAGS } from '../frame/write-flags.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import { eachWritten } from '../resources/each-written.ts';
import { ObjectWrites } from '../resources/object-writes.ts';
import { CHOICE_FLAGS, FILE_FLAGS, liveObject, selectObjects } from '../resources/selection.ts';

const count = (name: string, help: string): Flag<number> => ({
  name,
  value: 'N',
  help,
  fallback: -1,
  read(given) {
    if (/^-?\d{1,10}$/.test(given)) return Number(given);
    throw new CommandError(
      `invalid argument ${JSON.stringify(given)} for "--${name}" flag: a whole number is expected`,
    );
  },
  expects: 'a whole number',
  fits: Number.isInteger,
});

/** How many replicas there are to be, as the plane tells it for every kind that can be scaled. */
interface Scale extends AnyObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number };
}

interface Preconditions {
  readonly currentReplicas: number;
  readonly resourceVersion: string | undefined;
}

export const scale = command({
  usage: 'scale [--resource-version=VERSION] [--current-replicas=N] --replicas=N (-f FILE | TYPE NAME)',
  about: 'Sets how many replicas deployments, replica sets, stateful sets and the like are to have.',
  examples: [
    ['Three of them', 'scale --replicas=3 deployment/web'],
    ['Only if there are two', 'scale --current-replicas=2 --replicas=3 deployment/web'],
  ],
  flags: {
    ...FILE_FLAGS,
    ...OUTPUT_FLAGS,
    dryRun: WRITE_FLAGS.dryRun,
    fieldManager: WRITE_FLAGS.fieldManager,
    selector: CHOICE_FLAGS.selector,
    all: CHOICE_FLAGS.all,
    replicas: count('replicas', 'how many there are to be'),
    currentReplicas: count('current-replicas', 'only if there are so many'),
    resourceVersion: optionalText('resource-version', 'VERSION', 'only if the object has this version'),
    timeout: duration('timeout', 0, 'how long to wait until there are so many; 0 not to wait'),
  },
  async run({ args, flags, session, isGiven }) {
    const { replicas, dryRun } = flags;
    if (!isGiven('replicas')) throw new CommandError('required flag(s) "replicas" not set');
    if (replicas < 0) {
      throw new CommandError('The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0');
    }
    const objects = await selectObjects(session, { ...flags, args });
    if (objects.length === 0) throw new CommandError('no objects passed to scale');
    const client = await session.client();
    const writes = await ObjectWrites.of(session, { fieldManager: flags.fieldManager ?? 'platformctl-scale', dryRun });
    await eachWritten(session, objects, flags, 'scaling', async (object) => {
      const { resource: kind, namespace, name } = object;
      const seen = await liveObject(client, object).catch(asNoObject);
      if (!kind.subresources.some((one) => one.name === 'scale')) throw NOT_SERVED;
      const target = { kind, namespace, name, subresource: 'scale' };
      if (dryRun !== 'client') {
        await demand(writes, target, flags);
        await writes.patch(target, 'merge', { spec: { replicas } });
        if (flags.timeout > 0 && dryRun === 'none') await untilScaled(session, writes, target, replicas, flags.timeout);
      }
      return { object: seen, done: outcomeWord('scaled', dryRun) };
    });
  },
});

/** What the plane would answer. */
const NOT_SERVED = new ApiError('NotFound', 'the server could not find the requested resource');

function asNoObject(error: unknown): never {
  if (isRefusal(error, 'NotFound')) throw new CommandError(`no objects passed to scale ${error.message}`);
  throw error;
}

async function demand(
  writes: ObjectWrites,
  target: Target,
  { currentReplicas, resourceVersion }: Preconditions,
): Promise<void> {
  if (currentReplicas < 0 && resourceVersion === undefined) return;
  const { spec, metadata } = (await writes.get(target)) as Scale;
  const replicas = spec?.replicas ?? 0;
  if (currentReplicas >= 0 && replicas !== currentReplicas) {
    throw new CommandError(`Expected replicas to be ${currentReplicas}, was ${replicas}`);
  }
  if (resourceVersion !== undefined && metadata.resourceVersion !== resourceVersion) {
    throw new CommandError(`Expected resource version to be ${resourceVersion}, was ${metadata.resourceVersion ?? ''}`);
  }
}

const PAUSE_MS = 500;

async function untilScaled(
  session: Session,
  writes: ObjectWrites,
  target: Target,
  replicas: number,
  timeoutMs: number,
): Promise<void> {
  const end = session.runtime.monotonic() + timeoutMs;
  for (;;) {
    const { status } = (await writes.get(target)) as Scale;
    if ((status?.replicas ?? 0) === replicas) return;
    if (session.runtime.monotonic() + PAUSE_MS > end || session.io.interrupted.aborted) {
      throw new CommandError('timed out waiting for the condition');
    }
    await sleep(session.runtime, PAUSE_MS);
  }
}
