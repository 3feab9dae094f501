import { optionalText, text } from '../../../../settings/flag.ts';
import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { short } from '../../frame/flags.ts';
import { quantities } from '../create/quantities.ts';
import { type Container, containerMatcher, withPodSpec } from './pod-spec.ts';
import { SETTING_FLAGS, setInObjects } from './setting.ts';

interface Requirements {
  readonly limits?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, string>>;
}

export const setResources = command({
  usage: 'set resources (-f FILE | TYPE NAME) ([--limits=LIMITS & --requests=REQUESTS])',
  about: 'Sets what containers ask for and may use.',
  examples: [['All containers', 'set resources deployment web --limits=cpu=200m,memory=512Mi']],
  flags: {
    ...SETTING_FLAGS,
    containers: short('c', text('containers', 'PATTERN', '*', 'names of the containers; * for all')),
    limits: optionalText('limits', 'LIST', 'how much they may use, as cpu=1,memory=1Gi'),
    requests: optionalText('requests', 'LIST', 'how much they ask for, as cpu=1,memory=1Gi'),
  },
  async run({ args, flags, session }) {
    const limits = checked(flags.limits);
    const requests = checked(flags.requests);
    if (!limits && !requests) {
      throw new CommandError('you must specify an update to requests or limits (in the form of --requests/--limits)');
    }
    const matches = containerMatcher(flags.containers);
    const set = (container: Container): Container => {
      if (!matches(container)) return container;
      const before = (container.resources ?? {}) as Requirements;
      const after = {
        ...before,
        ...(limits ? { limits: { ...before.limits, ...limits } } : {}),
        ...(requests ? { requests: { ...before.requests, ...requests } } : {}),
      };
      return { ...container, resources: after };
    };
    await setInObjects(session, flags, {
      args,
      done: 'resource requirements updated',
      change: (object, name) =>
        withPodSpec(object, name, (spec) => {
          if (![...spec.containers, ...(spec.initContainers ?? [])].some(matches)) {
            throw new CommandError(`unable to find container named ${flags.containers}`);
          }
          return {
            ...spec,
            containers: spec.containers.map(set),
            ...(spec.initContainers ? { initContainers: spec.initContainers.map(set) } : {}),
          };
        }),
    });
  },
});

const QUANTITY = /^[+-]?[0-9.]+(?:[eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*)?$/;

function checked(list: string | undefined): Record<string, string> | undefined {
  if (list === undefined) return undefined;
  const given = quantities(list);
  if (Object.values(given).some((quantity) => quantity.length > 64 || !QUANTITY.test(quantity))) {
    throw new CommandError(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  }
  return given;
}
