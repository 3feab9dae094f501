import { apiVersionOf } from '../registry/incoming.ts';
import type { Deprecation, ResourceType } from '../registry/resource-type.ts';
import type { RequestContext } from '../request/context.ts';
import type { Service } from './service.ts';

/** Warns whoever uses a version that is on its way out. */
export function noteDeprecation(service: Service, type: ResourceType, context: RequestContext): void {
  const { deprecation } = type;
  if (!deprecation) return;
  const { removedIn } = deprecation;
  context.warn(deprecation.warning ?? warningOf(type, deprecation));
  const { auditAnnotations } = service.vocabulary;
  context.annotate(auditAnnotations.deprecated, 'true');
  if (removedIn !== undefined) context.annotate(auditAnnotations.removedRelease, removedIn);
  service.onDeprecated(type, context.info.subresource);
}

function warningOf(type: ResourceType, { deprecatedIn, removedIn, replacement }: Deprecation): string {
  const since = deprecatedIn === undefined ? '' : ` in v${deprecatedIn}+`;
  const gone = removedIn === undefined ? '' : `, unavailable in v${removedIn}+`;
  const instead = replacement === undefined ? '' : `; use ${replacement}`;
  return `${apiVersionOf(type)} ${type.kind} is deprecated${since}${gone}${instead}`;
}
