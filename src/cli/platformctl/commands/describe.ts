import { isRefusal } from '../../../client/plane-client.ts';
import { integer } from '../../../settings/flag.ts';
import { Descriptions } from '../describe/describe-object.ts';
import { Plane } from '../describe/plane.ts';
import { command } from '../frame/command.ts';
import { CommandError, throwFailures } from '../frame/failure.ts';
import { onOff } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { sideBySide } from '../frame/side-by-side.ts';
import { namedResources } from '../resources/arguments.ts';
import { CHOICE_FLAGS, FILE_FLAGS, type SelectedObject, selectObjects } from '../resources/selection.ts';

/** Descriptions that are made at the same time. */
const AT_ONCE = 8;

const { selector, allNamespaces } = CHOICE_FLAGS;

const FLAGS = {
  ...FILE_FLAGS,
  selector,
  allNamespaces,
  showEvents: onOff('show-events', true, 'also show what has happened to the objects'),
  chunkSize: integer('chunk-size', 0, 1_000_000, 500, 'objects to ask for at once; taken for the sake of scripts'),
};

type DescribeFlags = {
  readonly filename: readonly string[];
  readonly recursive: boolean;
  readonly kustomize: string | undefined;
  readonly selector: string | undefined;
  readonly allNamespaces: boolean;
  readonly showEvents: boolean;
};

export const describe = command({
  usage: 'describe (-f FILE | TYPE [NAME_PREFIX | -l label] | TYPE/NAME)',
  about:
    'Shows what there is to know about objects: their fields, what belongs to them, and what has happened to them. ' +
    'Where no object has the name, those are shown whose names begin with it.',
  examples: [
    ['A node, with the pods on it', 'describe nodes node-1'],
    ['Pods whose names begin so', 'describe pods web'],
    ['What a file is about', 'describe -f pod.json'],
    ['Pods by their labels', 'describe pods -l app=web'],
  ],
  flags: FLAGS,
  async run({ args, flags, session }) {
    if (args.length === 0 && flags.filename.length === 0 && flags.kustomize === undefined) {
      throw new CommandError(
        'You must specify the type of resource to describe. Use "platformctl api-resources" for a complete list of supported resources.',
      );
    }
    const objects = await chosen(session, args, flags);
    if (objects.length === 0) {
      const { name } = await session.namespace();
      await write(
        session.io.stderr,
        flags.allNamespaces ? 'No resources found\n' : `No resources found in ${name} namespace.\n`,
      );
      return;
    }
    await describeAll(session, objects, args, flags.showEvents);
  },
});

/** What a line names; all of a type where it names none. */
async function chosen(session: Session, args: readonly string[], flags: DescribeFlags): Promise<SelectedObject[]> {
  const isByFile = flags.filename.length > 0 || flags.kustomize !== undefined;
  const isNamed = isByFile || namedResources(args, await session.resources()).every(({ names }) => names.length > 0);
  return selectObjects(session, { args, ...flags, all: !isNamed && flags.selector === undefined });
}

async function describeAll(
  session: Session,
  objects: readonly SelectedObject[],
  args: readonly string[],
  showEvents: boolean,
): Promise<void> {
  const [client, resources] = await Promise.all([session.client(), session.resources()]);
  const descriptions = new Descriptions(client, resources);
  const request = { showEvents, now: session.runtime.now() };
  const failures: unknown[] = [];
  let count = 0;
  const outcomes = sideBySide(objects, AT_ONCE, ({ resource, namespace, name }) =>
    descriptions.of(resource, namespace, name, request),
  );
  for await (const outcome of outcomes) {
    if ('failure' in outcome) failures.push(outcome.failure);
    else await write(session.io.stdout, `${count++ === 0 ? '' : '\n\n'}${outcome.value}`);
  }
  const [failure] = failures;
  const [only, ...others] = objects;
  if (only && others.length === 0 && args.length === 2 && isRefusal(failure, 'NotFound')) {
    const begun = await describeBegun(session, descriptions, only, request);
    if (begun) return;
  }
  throwFailures(failures);
}

/** Describes objects whose names begin with a word; false where there is none. */
async function describeBegun(
  session: Session,
  descriptions: Descriptions,
  { resource, namespace, name: prefix }: SelectedObject,
  request: { readonly showEvents: boolean; readonly now: number },
): Promise<boolean> {
  const plane = new Plane(await session.client(), await session.resources());
  const all = await plane.list(resource.group, resource.plural, namespace);
  const begun = all.map(({ metadata }) => metadata.name ?? '').filter((name) => name.startsWith(prefix));
  for (const name of begun) {
    await write(session.io.stdout, `${await descriptions.of(resource, namespace, name, request)}\n`);
  }
  return begun.length > 0;
}
