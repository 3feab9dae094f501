import { isUtf8 } from 'node:buffer';
import type { HttpRequest } from './message.ts';

/**
 * Every value of a header that may repeat, in the order sent. `name` is lower case. Values are taken from the raw
 * headers, so that a comma inside one is not mistaken for a border between two.
 */
export function headerList(request: HttpRequest, name: string): string[] {
  if (request.headers[name] === undefined) return [];
  const { rawHeaders } = request;
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const candidate = rawHeaders[at];
    const value = rawHeaders[at + 1];
    if (candidate === undefined || value === undefined) break;
    if (candidate.length === name.length && candidate.toLowerCase() === name) values.push(value);
  }
  return values;
}

/** The first value of a header; `name` is lower case. */
export function headerValue(request: HttpRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'object' ? value[0] : value;
}

/**
 * Header values are bytes, which Node hands over one character each. This reads them as the UTF-8 that names of people
 * are written in; undefined when they are none, so that no two values become the same text.
 */
export function headerText(value: string): string | undefined {
  if (!/[\x80-\xff]/.test(value) || /[^\0-\xff]/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** Whether a reply's header list names a header; `name` is lower case. */
export function hasHeader(headers: readonly string[], name: string): boolean {
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at]?.toLowerCase() === name) return true;
  }
  return false;
}
