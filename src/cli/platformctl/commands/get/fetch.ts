import { type PlaneAnswer, refusalIn, type Send } from '../../../../client/plane-client.ts';
import { vocabularies } from '../../../../vocabulary/vocabulary.ts';
import type { Printable } from '../../print/printable.ts';
import type { Table } from '../../print/table.ts';
import { listingError, pathOf, type Selection } from './selection.ts';

/** A table is asked for in both vocabularies; a plane that makes none answers with objects. */
export const TABLE_ACCEPT = [
  ...Object.values(vocabularies).map(({ groups }) => `application/json;as=Table;v=v1;g=${groups.meta}`),
  'application/json',
].join(',');

/** How selections are asked for. */
export interface FetchSettings {
  readonly selector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly subresource?: string | undefined;
  /** Objects in one answer; 0 for all at once. */
  readonly chunkSize: number;
  /** As tables. `object` for whole objects beside the rows, which sorting needs. */
  readonly table?: 'metadata' | 'object' | undefined;
}

/** An answer: an object, a list or a table. */
export interface FetchedDocument extends Printable {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly Printable[];
}

export const isTable = (document: unknown): document is Table => (document as { kind?: string }).kind === 'Table';

/** What a plane answers about a selection; pages one after the other. */
export async function* fetchPages(
  send: Send,
  selection: Selection,
  settings: FetchSettings,
): AsyncGenerator<FetchedDocument> {
  let next = '';
  do {
    const page: FetchedDocument = await fetchPage(send, selection, settings, next);
    yield page;
    next = page.metadata?.continue ?? '';
  } while (next !== '' && selection.name === '');
}

async function fetchPage(
  send: Send,
  selection: Selection,
  settings: FetchSettings,
  next: string,
): Promise<FetchedDocument> {
  const query = selection.name === '' ? listQuery(settings) : new URLSearchParams();
  if (next !== '') query.set('continue', next);
  if (settings.table === 'object') query.set('includeObject', 'Object');
  const path = pathOf(selection, settings.subresource);
  try {
    return documentIn(
      await send({
        method: 'GET',
        target: query.size === 0 ? path : `${path}?${query}`,
        ...(settings.table === undefined ? {} : { accept: TABLE_ACCEPT }),
      }),
    );
  } catch (error) {
    throw listingError(error, selection, settings);
  }
}

/** What narrows a collection. */
export function listQuery({ selector, fieldSelector, chunkSize }: FetchSettings): URLSearchParams {
  const query = new URLSearchParams();
  if (selector) query.set('labelSelector', selector);
  if (fieldSelector) query.set('fieldSelector', fieldSelector);
  if (chunkSize > 0) query.set('limit', String(chunkSize));
  return query;
}

/** What a refusal means that came from something else than a plane's handlers, which say it themselves. */
const GENERIC: Readonly<Record<number, { readonly reason: string; readonly message: string }>> = {
  401: { reason: 'Unauthorized', message: 'the server has asked for the client to provide credentials' },
  403: { reason: 'Forbidden', message: 'the server does not allow access to the requested resource' },
  404: { reason: 'NotFound', message: 'the server could not find the requested resource' },
  405: { reason: 'MethodNotAllowed', message: 'the server does not allow this method on the requested resource' },
  503: { reason: 'ServiceUnavailable', message: 'the server is currently unable to handle the request' },
};

/** The document of an answer; throws the refusal that it is. */
export function documentIn<T = FetchedDocument>({ status, body }: PlaneAnswer): T {
  let document: unknown;
  try {
    document = JSON.parse(body.toString());
  } catch (error) {
    if (status < 400) throw error;
    document = GENERIC[status] ?? { message: body.toString().trim() };
  }
  if (status >= 400) throw refusalIn(status, document);
  return document as T;
}
