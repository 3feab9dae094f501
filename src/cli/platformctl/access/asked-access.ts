import { type AnyObject, isRefusal } from '../../../client/plane-client.ts';
import { optionalText } from '../../../settings/flag.ts';
import { CommandError } from '../frame/failure.ts';
import type { FlagTable } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { CHOICE_FLAGS } from '../resources/selection.ts';

/** Flags of a line that names an access: `VERB TYPE [NAME]`, `VERB TYPE/NAME` or `VERB /PATH`. */
export const ACCESS_FLAGS = {
  allNamespaces: CHOICE_FLAGS.allNamespaces,
  subresource: optionalText('subresource', 'NAME', 'what is below the object, such as log'),
} as const satisfies FlagTable;

interface AccessFlags {
  readonly allNamespaces: boolean;
  readonly subresource: string | undefined;
}

/** What a line asks about, as reviews have it. */
export interface AskedAccess {
  readonly resourceAttributes?: object;
  readonly nonResourceAttributes?: object;
}

export async function askedAccess(
  session: Session,
  words: readonly string[],
  flags: AccessFlags,
): Promise<AskedAccess> {
  const [verb, what, named, ...more] = words;
  if (verb === undefined || what === undefined || more.length > 0) {
    throw new CommandError(
      'name a verb and a type, and an object where it is about one: VERB TYPE [NAME] or VERB /PATH',
    );
  }
  if (what.startsWith('/')) {
    if (flags.subresource !== undefined) throw new CommandError('--subresource can not be used with a path');
    return { nonResourceAttributes: { verb, path: what } };
  }
  const [type = '', ...rest] = what.split('/');
  const resource = type === '*' ? undefined : (await session.resources()).find(type);
  const [plural = '', ...group] = type.split('.');
  if (!resource && type !== '*') {
    await write(session.io.stderr, `Warning: the server doesn't have a resource type '${type}'\n`);
  }
  const isEverywhere = flags.allNamespaces || resource?.namespaced === false;
  return {
    resourceAttributes: {
      verb,
      group: resource?.group ?? group.join('.'),
      resource: resource?.plural ?? plural,
      subresource: flags.subresource ?? '',
      namespace: isEverywhere ? '' : (await session.namespace()).name,
      name: named ?? rest.join('/'),
    },
  };
}

/** Posts a question to the group that explains, and gives the answer. */
export async function askPlane<T extends AnyObject>(session: Session, kind: string, spec: object): Promise<T> {
  const { explain } = (await session.vocabulary()).groups;
  const resource = (await session.resources()).all.find((one) => one.group === explain && one.kind === kind);
  if (!resource) throw new CommandError(`the server doesn't explain: it does not serve ${kind} of ${explain}`);
  const document = { kind, apiVersion: `${explain}/${resource.version}`, spec };
  return (await session.client()).create<T>(resource, '', document);
}

/** What the plane remembers of a refusal. */
export async function rememberedDenial<T extends AnyObject>(session: Session, id: string): Promise<T> {
  const { explain } = (await session.vocabulary()).groups;
  const kind = (await session.resources()).all.find((one) => one.group === explain && one.kind === 'Denial');
  if (!kind) throw new CommandError(`the server doesn't explain: it does not serve Denial of ${explain}`);
  try {
    return await (await session.client()).get<T>({ kind, namespace: '', name: id });
  } catch (error) {
    if (!isRefusal(error, 'NotFound')) throw error;
    throw new CommandError(`the server does not remember a denial "${id}": they are kept for a quarter of an hour`);
  }
}
