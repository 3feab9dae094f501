import { ApiError, forbidden } from '../api/errors.ts';
import { type Attributes, combinedResource, type Decision } from './attributes.ts';

// Names come from clients and may hold quotes and line breaks.
const quoted = (text: string): string => JSON.stringify(text);

/** Who may not do what, and why if a mode said so. */
export function denialMessage(attributes: Attributes, reason: string): string {
  const refusal = `User ${quoted(attributes.user.name)} cannot ${attributes.verb} ${target(attributes)}`;
  return reason === '' ? refusal : `${refusal}: ${reason}`;
}

function target(attributes: Attributes): string {
  if (!attributes.resourceRequest) return `path ${quoted(attributes.path)}`;
  const scope =
    attributes.namespace === '' ? 'at the cluster scope' : `in the namespace ${quoted(attributes.namespace)}`;
  return `resource ${quoted(combinedResource(attributes))} in API group ${quoted(attributes.group)} ${scope}`;
}

/** The answer to a request that was not allowed: a refusal like others, which knows what was decided. */
export class AccessDenied extends ApiError {
  readonly attributes: Attributes;
  readonly decision: Decision;

  constructor({ reason, message, details }: ApiError, attributes: Attributes, decision: Decision) {
    super(reason, message, details);
    this.attributes = attributes;
    this.decision = decision;
  }
}

export function denied(attributes: Attributes, decision: Decision): AccessDenied {
  const { resourceRequest, group, resource, name } = attributes;
  const message = denialMessage(attributes, decision.reason);
  const refusal = resourceRequest ? forbidden({ group, resource }, name, message) : forbidden(undefined, '', message);
  return new AccessDenied(refusal, attributes, decision);
}
