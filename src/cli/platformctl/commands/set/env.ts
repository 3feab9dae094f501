import type { AnyObject } from '../../../../client/plane-client.ts';
import { list, optionalText, repeated, text } from '../../../../settings/flag.ts';
import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { onOff, short } from '../../frame/flags.ts';
import { write } from '../../frame/io.ts';
import type { Session } from '../../frame/session.ts';
import { liveObject, selectObjects } from '../../resources/selection.ts';
import { type Container, containerMatcher, withPodSpec } from './pod-spec.ts';
import { SETTING_FLAGS, setInObjects, wordsAndPairs } from './setting.ts';
import { listVariables, type Variable, variablesFrom } from './variables.ts';

export const setEnv = command({
  usage: 'set env TYPE/NAME KEY_1=VALUE_1 ... KEY_N=VALUE_N',
  about:
    'Sets environment variables of containers, removes those whose name is followed by a minus sign, or shows them.',
  examples: [
    ['Set one', 'set env deployment/web COLOUR=blue'],
    ['All keys of a config map', 'set env deployment/web --from=configmap/settings'],
    ['What there is', 'set env deployment/web --list'],
  ],
  flags: {
    ...SETTING_FLAGS,
    containers: short('c', text('containers', 'PATTERN', '*', 'names of the containers; * for all')),
    env: short('e', repeated('env', 'KEY=VALUE', 'a variable')),
    from: optionalText('from', 'TYPE/NAME', 'config map or secret whose keys become variables'),
    keys: list('keys', 'NAMES', [], 'with --from: only these keys'),
    prefix: optionalText('prefix', 'TEXT', 'with --from: what the names begin with'),
    list: onOff('list', false, 'show the variables'),
    resolve: onOff('resolve', false, 'with --list: show what variables from config maps and secrets hold'),
    overwrite: onOff('overwrite', true, 'change variables that have another value'),
  },
  async run({ args, flags, session }) {
    const { words, pairs } = wordsAndPairs(args);
    if (flags.list) return listAll(session, flags, words);
    const given = [...pairs, ...flags.env];
    const variables: Variable[] = given.filter((pair) => pair.includes('=')).map(variableIn);
    const removed = given.filter((pair) => !pair.includes('=')).map((pair) => pair.replace(/-$/, ''));
    if (flags.from !== undefined)
      variables.push(...(await variablesFrom(session, flags.from, flags.prefix ?? '', flags.keys)));
    const matches = containerMatcher(flags.containers);
    await setInObjects(session, flags, {
      args: words,
      done: 'env updated',
      async change(object, name) {
        const matching: Container[] = [];
        const changed = withPodSpec(object, name, (spec) => {
          const set = (container: Container): Container => {
            if (!matches(container)) return container;
            matching.push(container);
            if (!flags.overwrite) refuseTaken(container, variables, name);
            return withVariables(container, variables, removed);
          };
          const containers = spec.containers.map(set);
          return {
            ...spec,
            ...(spec.initContainers ? { initContainers: spec.initContainers.map(set) } : {}),
            containers,
          };
        });
        if (matching.length === 0) await warnOfNone(session, object, flags.containers);
        return changed;
      },
    });
  },
});

function variableIn(pair: string): Variable {
  const equals = pair.indexOf('=');
  return { name: pair.slice(0, equals), value: pair.slice(equals + 1) };
}

const variablesOf = (container: Container): readonly Variable[] => (container.env ?? []) as readonly Variable[];

/** Those that are there keep their place. */
function withVariables(container: Container, set: readonly Variable[], removed: readonly string[]): Container {
  const before = variablesOf(container);
  const news = new Map(set.map((variable) => [variable.name, variable]));
  const kept = before.filter(({ name }) => !removed.includes(name)).map((one) => news.get(one.name) ?? one);
  const added = [...news.values()].filter(({ name }) => !before.some((one) => one.name === name));
  const env = [...kept, ...added];
  const { env: _, ...rest } = container;
  if (env.length === 0) return rest as Container;
  return container.env === undefined ? { ...container, env } : { ...container, env };
}

function refuseTaken(container: Container, variables: readonly Variable[], object: string): void {
  for (const { name, value } of variablesOf(container)) {
    if (variables.some((one) => one.name === name)) {
      throw new CommandError(`${object} '${name}' already has a value (${value ?? ''}), and --overwrite is false`);
    }
  }
}

const warnOfNone = ({ io }: Session, { kind, metadata }: AnyObject, pattern: string): Promise<void> =>
  write(
    io.stderr,
    `Warning: ${kind}/${metadata.name ?? ''} does not have any containers matching ${JSON.stringify(pattern)}\n`,
  );

async function listAll(
  session: Session,
  flags: {
    readonly containers: string;
    readonly resolve: boolean;
    readonly filename: readonly string[];
    readonly selector: string | undefined;
    readonly all: boolean;
    readonly recursive: boolean;
    readonly kustomize: string | undefined;
  },
  words: readonly string[],
): Promise<void> {
  const client = await session.client();
  for (const object of await selectObjects(session, { ...flags, args: words })) {
    const live = await liveObject(client, object);
    const found: Container[] = [];
    withPodSpec(live, `${object.resource.plural}/${object.name}`, (spec) => {
      found.push(...(spec.initContainers ?? []), ...spec.containers);
      return spec;
    });
    for (const container of found.filter(containerMatcher(flags.containers))) {
      await write(session.io.stdout, `# ${live.kind} ${object.name}, container ${container.name}\n`);
      await write(
        session.io.stdout,
        await listVariables(session, object.namespace, variablesOf(container), flags.resolve),
      );
    }
  }
}
