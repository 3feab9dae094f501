import type { AnyObject } from '../../../../client/plane-client.ts';
import { apiVersionOfKind } from '../../../../client/served-kind.ts';
import { CommandError } from '../../frame/failure.ts';
import type { Session } from '../../frame/session.ts';

/** All that the plane remembers of a kind of the group that explains, each with its kind. */
export async function allRemembered<T extends AnyObject>(session: Session, kind: string): Promise<readonly T[]> {
  const { explain } = (await session.vocabulary()).groups;
  const resource = (await session.resources()).all.find((one) => one.group === explain && one.kind === kind);
  if (!resource) throw new CommandError(`the plane does not serve ${kind} of ${explain}`);
  const { items } = await (await session.client()).list<T>(resource, '');
  const apiVersion = apiVersionOfKind(resource);
  return items.map((item) => ({ ...item, kind, apiVersion }));
}
