import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ApiError } from '../../../../api/errors.ts';
import { collectionPath, objectPath } from '../../../../client/served-kind.ts';
import { CommandError } from '../../frame/failure.ts';
import type { Session } from '../../frame/session.ts';
import { readManifests } from '../../manifests/read-manifests.ts';
import { namedResources } from '../../resources/arguments.ts';
import type { ServedResource } from '../../resources/served-resources.ts';

/** Objects to ask for: one by its name, or a collection. */
export interface Selection {
  readonly resource: ServedResource;
  /** '' for all of a collection. */
  readonly name: string;
  /** '' for all namespaces, and where there are none. */
  readonly namespace: string;
}

export interface SelectionFlags {
  readonly allNamespaces: boolean;
  readonly selector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly filename: readonly string[];
  readonly recursive: boolean;
}

/** What a line is about, and whether that is one object alone. */
export interface SelectedObjects {
  readonly selections: readonly Selection[];
  readonly isSingle: boolean;
}

export async function selectedObjects(
  args: readonly string[],
  flags: SelectionFlags,
  session: Session,
): Promise<SelectedObjects> {
  if (flags.filename.length > 0) return fromFiles(args, flags, session);
  if (args.length === 0) throw new CommandError(NOTHING_NAMED);
  const named = await session.lookUp((resources) => namedResources(args, resources));
  const namespace = flags.allNamespaces ? '' : (await session.namespace()).name;
  const hasNames = named.some(({ names }) => names.length > 0);
  if (hasNames && flags.allNamespaces) {
    throw new CommandError('a resource cannot be retrieved by name across all namespaces');
  }
  if (hasNames && (flags.selector !== undefined || flags.fieldSelector !== undefined)) {
    throw new CommandError('name cannot be provided when a selector is specified');
  }
  const selections = named.flatMap(({ resource, names }) => {
    const within = resource.namespaced ? namespace : '';
    return (names.length === 0 ? [''] : names).map((name) => ({ resource, name, namespace: within }));
  });
  return { selections, isSingle: hasNames && selections.length === 1 };
}

const NOTHING_NAMED = `Required resource not specified.
Use "platformctl explain <resource>" for a detailed description of that resource (e.g. platformctl explain pods).
See 'platformctl get -h' for help and examples`;

async function fromFiles(args: readonly string[], flags: SelectionFlags, session: Session): Promise<SelectedObjects> {
  if (args.length > 0) {
    throw new CommandError(
      'when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well',
    );
  }
  const [resources, working] = await Promise.all([session.resources(), session.namespace()]);
  const selections: Selection[] = [];
  for await (const { object } of readManifests(flags, session.io)) {
    const resource = resources.ofKind(object.apiVersion, object.kind);
    const { name = '', namespace = working.name } = object.metadata;
    if (working.isGiven && resource.namespaced && namespace !== working.name) {
      throw new CommandError(
        `the namespace from the provided object "${namespace}" does not match the namespace "${working.name}". You must pass '--namespace=${namespace}' to perform this operation.`,
      );
    }
    selections.push({ resource, name, namespace: resource.namespaced ? namespace : '' });
  }
  return { selections, isSingle: await isOneFile(flags, session) };
}

/** Folders and standard input may hold any number of objects, and are shown as a list even when it is one. */
async function isOneFile({ filename }: SelectionFlags, { io }: Session): Promise<boolean> {
  const [file = '-', ...more] = filename;
  if (file === '-' || more.length > 0) return false;
  if (/^https?:/.test(file)) return true;
  return (await stat(resolve(io.cwd, file))).isFile();
}

/** Where a selection is served. */
export const pathOf = ({ resource, name, namespace }: Selection, subresource = ''): string =>
  name === '' ? collectionPath(resource, namespace) : objectPath({ kind: resource, namespace, name, subresource });

/** Says in a refusal what was looked for, where a plane does not. */
export function listingError(
  error: unknown,
  { resource, name }: Selection,
  selectors: Pick<SelectionFlags, 'selector' | 'fieldSelector'>,
): unknown {
  if (name !== '' || !(error instanceof ApiError) || !['BadRequest', 'NotFound'].includes(error.reason)) return error;
  const { selector = '', fieldSelector = '' } = selectors;
  const subject = `"${resource.group}/${resource.version}, Resource=${resource.plural}"`;
  const lookedFor =
    selector === '' && fieldSelector === ''
      ? `Unable to list ${subject}`
      : `Unable to find ${subject} that match label selector ${JSON.stringify(selector)}, field selector ${JSON.stringify(fieldSelector)}`;
  return new ApiError(error.reason, `${lookedFor}: ${error.message}`, error.details, error.code);
}
