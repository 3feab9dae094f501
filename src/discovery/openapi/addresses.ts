import type { Document } from '../document.ts';

export const V2_PATH = '/openapi/v2';
export const V3_PATH = '/openapi/v3';

/** Where the document of a part is. The digest makes it the address of that very document, which never changes. */
export const addressOf = (part: string, { digest }: Pick<Document, 'digest'>): string =>
  `${V3_PATH}/${part}?hash=${digest}`;
