import type { AnyObject } from '../../../client/plane-client.ts';
import { CommandError } from '../frame/failure.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { namedResources } from '../resources/arguments.ts';
import { CHOICE_FLAGS, FILE_FLAGS, type SelectedObject, selectObjects } from '../resources/selection.ts';

/** How the objects of a rollout are named. */
export const ROLLOUT_FLAGS = { ...FILE_FLAGS, selector: CHOICE_FLAGS.selector };

export interface RolloutFlags {
  readonly filename: readonly string[];
  readonly recursive: boolean;
  readonly kustomize: string | undefined;
  readonly selector: string | undefined;
}

/** What a line is about: all of a type where it names none. Says so where that is nothing. */
export async function rolloutObjects(
  session: Session,
  args: readonly string[],
  flags: RolloutFlags,
): Promise<SelectedObject[]> {
  const isByFile = flags.filename.length > 0 || flags.kustomize !== undefined;
  if (args.length === 0 && !isByFile) throw new CommandError('required resource not specified');
  const isNamed = isByFile || namedResources(args, await session.resources()).every(({ names }) => names.length > 0);
  const chosen = await selectObjects(session, { args, ...flags, all: !isNamed && flags.selector === undefined });
  if (chosen.length === 0) {
    await write(session.io.stderr, `No resources found in ${(await session.namespace()).name} namespace.\n`);
  }
  return chosen;
}

const ROLLED_OUT: ReadonlySet<string> = new Set(['Deployment', 'DaemonSet', 'StatefulSet']);

/** Whether an object is of a kind that is rolled out. */
export const isRolledOut = ({ resource }: SelectedObject, ...kinds: readonly string[]): boolean =>
  resource.group === 'apps' && (kinds.length === 0 ? ROLLED_OUT.has(resource.kind) : kinds.includes(resource.kind));

/** `deployments.apps "web"`. */
export const quotedName = ({ resource: { plural, group }, name }: SelectedObject): string =>
  `${plural}${group === '' ? '' : `.${group}`} "${name}"`;

export const live = async (session: Session, { resource, namespace, name }: SelectedObject): Promise<AnyObject> =>
  (await session.client()).get<AnyObject>({ kind: resource, namespace, name });
