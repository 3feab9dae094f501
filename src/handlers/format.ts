import type { Content, Format } from '../codec/negotiation.ts';
import { headerValue } from '../http/headers.ts';
import type { RequestContext } from '../request/context.ts';
import { isTrue } from '../request/request-info.ts';
import { projectionOf } from './read/projection.ts';
import type { ResourceContext, Service } from './service.ts';

/** How a request about a resource is answered; throws 406. */
export function formatFor(
  { negotiator }: Service,
  { context, type }: ResourceContext,
  content: Content = 'item',
): Format {
  const { request, info } = context;
  const { schema } = projectionOf(type, info.subresource)?.type ?? type;
  return asWanted(negotiator.choose(headerValue(request, 'accept'), content, schema), context);
}

/** How browsers and the usual commands begin their user agent. A person looks at what they get. */
const PEOPLE = ['curl', 'Wget', 'Mozilla/5.0'];

/** The format, laid out for people where one asks: by the query or, if that says nothing, by what the request was made with. */
export function asWanted(format: Format, { request, user, info: { query } }: RequestContext): Format {
  if (format.media === 'yaml') return { ...format, reader: user?.name ?? '' };
  if (format.media !== 'json' || format.indented) return format;
  const asked = query.get('pretty') ?? '';
  const agent = headerValue(request, 'user-agent') ?? '';
  const indented = asked === '' ? PEOPLE.some((start) => agent.startsWith(start)) : isTrue(asked);
  return indented ? { ...format, indented } : format;
}
