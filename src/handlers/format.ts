import type { Content, Format } from '../codec/negotiation.ts';
import { headerValue } from '../http/headers.ts';
import { projectionOf } from './projection.ts';
import type { ResourceContext, Service } from './service.ts';

/** How a request about a resource is answered; throws 406. */
export function formatFor(
  { negotiator }: Service,
  { context: { request, info }, type }: ResourceContext,
  content: Content = 'item',
): Format {
  const { schema } = projectionOf(type, info.subresource)?.type ?? type;
  return negotiator.choose(headerValue(request, 'accept'), content, schema);
}
