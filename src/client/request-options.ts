/** The parameters that requests take, and how a query spells them. */

export interface RequestOptions {
  /** Ends the wait for an answer. What was asked for may be done all the same. */
  readonly signal?: AbortSignal | undefined;
}

/** On whose behalf fields are written, and whether anything is kept. */
export interface WriteOptions extends RequestOptions {
  /** Everything is checked and answered as if, and nothing is stored. */
  readonly dryRun?: boolean | undefined;
  /** The owner of the fields that are written; the plane takes the program's name where it is absent. */
  readonly fieldManager?: string | undefined;
  /** What becomes of a document with fields that are unknown or given twice. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}

/** How a document is applied. */
export interface ApplyOptions extends WriteOptions {
  /** Takes over fields that others own, where they are to be different. */
  readonly force?: boolean | undefined;
}

/** How old what is read may be. */
export interface GetOptions extends RequestOptions {
  /** At least this version; '0' takes whatever is at hand. */
  readonly resourceVersion?: string | undefined;
}

/** `app=web,tier!=db`, or what keys have to be: `{ app: 'web' }`. */
export type Selector = string | Readonly<Record<string, string>>;

/** Which objects of a kind. */
export interface Selection {
  readonly labelSelector?: Selector | undefined;
  readonly fieldSelector?: Selector | undefined;
}

export interface ListingOptions extends Selection, RequestOptions {
  /** The most objects of one page. */
  readonly limit?: number | undefined;
  /** Where the page begins. */
  readonly next?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
  /** Names, labels and the rest of the metadata alone. */
  readonly metadataOnly?: boolean | undefined;
}

type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** A path with those parameters that say something. */
export function withQuery(path: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '' && value !== false) query.set(name, String(value));
  }
  if (query.size === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

export const listParameters = (options: ListingOptions): Parameters => ({
  ...selectionParameters(options),
  limit: options.limit,
  continue: options.next,
  resourceVersion: options.resourceVersion,
  resourceVersionMatch: options.resourceVersionMatch,
});

/** Selectors as text; those alone that select something. */
export const selectionParameters = ({
  labelSelector,
  fieldSelector,
}: Selection): { labelSelector?: string; fieldSelector?: string } => ({
  ...(labelSelector && { labelSelector: selectorText(labelSelector, (value) => value) }),
  ...(fieldSelector && { fieldSelector: selectorText(fieldSelector, escapedField) }),
});

export const writeParameters = ({ dryRun, fieldManager, fieldValidation }: WriteOptions): Parameters => ({
  dryRun: dryRun ? 'All' : undefined,
  fieldManager,
  fieldValidation,
});

function selectorText(selector: Selector, escaped: (value: string) => string): string {
  if (typeof selector === 'string') return selector;
  return Object.entries(selector)
    .map(([key, value]) => `${key}=${escaped(value)}`)
    .join(',');
}

/** Values of fields are any text. */
const escapedField = (value: string): string => value.replace(/[\\,=]/g, (character) => `\\${character}`);
