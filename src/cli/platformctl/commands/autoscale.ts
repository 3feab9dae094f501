import { apiVersionOfKind } from '../../../client/served-kind.ts';
import { type Flag, optionalText } from '../../../settings/flag.ts';
import { command } from '../frame/command.ts';
import { CommandError, throwFailures } from '../frame/failure.ts';
import { FILE_FLAGS, liveObject, selectObjects } from '../resources/selection.ts';
import { createMade, GENERATOR_FLAGS } from './create/generating.ts';

const amount = (name: string, help: string): Flag<number> => ({
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

export const autoscale = command({
  usage: 'autoscale (-f FILE | TYPE NAME | TYPE/NAME) [--min=N] --max=N [--cpu-percent=N]',
  about: 'Creates an autoscaler that chooses how many replicas there are.',
  flags: {
    ...GENERATOR_FLAGS,
    ...FILE_FLAGS,
    min: amount('min', 'as few as this'),
    max: amount('max', 'as many as this'),
    cpuPercent: amount('cpu-percent', 'how busy pods are to be on average, in percent of what they ask for'),
    name: optionalText('name', 'NAME', 'name of the autoscaler; that of the object where it is absent'),
  },
  async run({ args, flags, session, isGiven }) {
    const { min, max, cpuPercent } = flags;
    if (!isGiven('max')) throw new CommandError('required flag(s) "max" not set');
    if (max < 1) throw new CommandError(`--max=MAXPODS is required and must be at least 1, max: ${max}`);
    if (max < min) {
      throw new CommandError(`--max=MAXPODS must be larger or equal to --min=MINPODS, max: ${max}, min: ${min}`);
    }
    const objects = await selectObjects(session, { ...flags, args });
    const client = await session.client();
    const failures: unknown[] = [];
    for (const object of objects) {
      const { resource, name } = object;
      try {
        await liveObject(client, object);
        if (!resource.subresources.some((one) => one.name === 'scale')) {
          throw new CommandError(
            `cannot autoscale a ${resource.kind}: could not find scale subresource for ${resource.group}/${resource.version}, Resource=${resource.plural} in discovery information`,
          );
        }
        const made = {
          kind: 'HorizontalPodAutoscaler',
          apiVersion: 'autoscaling/v1',
          metadata: { name: flags.name ?? name, creationTimestamp: null },
          spec: {
            scaleTargetRef: { kind: resource.kind, name, apiVersion: apiVersionOfKind(resource) },
            ...(min > 0 ? { minReplicas: min } : {}),
            maxReplicas: max,
            ...(cpuPercent >= 0 ? { targetCPUUtilizationPercentage: cpuPercent } : {}),
          },
          status: { currentReplicas: 0, desiredReplicas: 0 },
        };
        await createMade(session, made, flags, 'platformctl-autoscale', 'autoscaled');
      } catch (error) {
        failures.push(error);
      }
    }
    throwFailures(failures);
  },
});
