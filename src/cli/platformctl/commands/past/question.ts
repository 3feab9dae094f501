import type { AnyObject } from '../../../../client/plane-client.ts';
import { apiVersionOfKind } from '../../../../client/served-kind.ts';
import type { ExplainedObject } from '../../../../kinds/explain/explained-object.ts';
import type { ObjectVersion } from '../../../../kinds/explain/object-version.ts';
import { CommandError } from '../../frame/failure.ts';
import type { Session } from '../../frame/session.ts';
import { selectObjects } from '../../resources/selection.ts';

/** The one object that a line is about: `TYPE/NAME` or `TYPE NAME`. */
export async function explainedObject(session: Session, args: readonly string[]): Promise<ExplainedObject> {
  const [only, ...more] = await selectObjects(session, { args });
  if (!only || more.length > 0) throw new CommandError('exactly one object is expected, as TYPE/NAME or TYPE NAME');
  const { resource, namespace, name } = only;
  const { group, version, plural } = resource;
  return { group, version, resource: plural, namespace, name };
}

/** Posts a question of the group that explains, and gives the answer. */
export async function ask<T extends AnyObject>(
  session: Session,
  kind: string,
  spec: object,
  options: { readonly dryRun?: boolean } = {},
): Promise<T> {
  const { explain } = (await session.vocabulary()).groups;
  const resource = (await session.resources()).all.find((one) => one.group === explain && one.kind === kind);
  if (!resource) throw new CommandError(`the plane does not serve ${kind} of ${explain}`);
  const document = { kind, apiVersion: apiVersionOfKind(resource), spec };
  return (await session.client()).create<T>(resource, '', document, options);
}

const LONGEST_VALUE = 60;

/** A value in one line; '' where there is none. */
export function valueText(value: unknown): string {
  if (value === undefined) return '';
  const text = JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text;
}

/** Whom a version is from, as far as that is known: the user, else the manager. */
export const makerText = ({ user, fieldManager }: Partial<ObjectVersion>): string =>
  user || fieldManager || '<unknown>';

export const orNone = (text: string | null | undefined): string => text || '<none>';

/** Says what an answer had no room for. */
export const moreText = (count: number | string | undefined, what: string): string =>
  Number(count ?? 0) > 0 ? `and ${count} more ${what}\n` : '';
