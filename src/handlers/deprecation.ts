import { apiVersionOf } from '../registry/incoming.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { RequestContext } from '../request/context.ts';

/** Told of every use of a version that is on its way out. */
export type OnDeprecated = (type: ResourceType, subresource: string) => void;

/** Warns whoever uses a version that is on its way out. */
export function noteDeprecation(type: ResourceType, context: RequestContext, onDeprecated: OnDeprecated): void {
  const { deprecation } = type;
  if (!deprecation) return;
  const { deprecatedIn, removedIn, replacement } = deprecation;
  const gone = removedIn === undefined ? '' : `, unavailable in v${removedIn}+`;
  const instead = replacement === undefined ? '' : `; use ${replacement}`;
  context.warn(`${apiVersionOf(type)} ${type.kind} is deprecated in v${deprecatedIn}+${gone}${instead}`);
  onDeprecated(type, context.info.subresource);
}
