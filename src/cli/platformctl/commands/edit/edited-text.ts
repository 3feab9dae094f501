import type { AnyObject } from '../../../../client/plane-client.ts';
import { jsonText } from '../../print/json-text.ts';
import { yamlText } from '../../print/yaml-text.ts';

export type EditFormat = 'yaml' | 'json';

const INTRODUCTION = [
  "# Please edit the object below. Lines beginning with a '#' will be ignored,",
  '# and an empty file will abort the edit. If an error occurs while saving this file will be',
  '# reopened with the relevant failures.',
  '#',
];

/** Why an object was refused, in the words of a comment. */
export interface Reason {
  /** Such as `configmaps "one" was not valid`. */
  readonly head: string;
  readonly details: readonly string[];
}

/** What an editor shows of objects: one as it is, several as a list. */
export function contentText(objects: readonly AnyObject[], format: EditFormat): string {
  const [first] = objects;
  const shown =
    objects.length === 1 && first ? first : { apiVersion: 'v1', items: objects, kind: 'List', metadata: {} };
  return format === 'json' ? `${jsonText(shown)}\n` : yamlText(shown);
}

/** The text with what people have to know above it. JSON has no comments: only what went wrong is worth breaking it. */
export function commentedText(content: string, format: EditFormat, reasons: readonly Reason[]): string {
  if (format === 'json' && reasons.length === 0) return content;
  const told = reasons.flatMap(({ head, details }) => [
    `# ${oneLine(head)}:`,
    ...details.map((detail) => `# * ${oneLine(detail)}`),
    '#',
  ]);
  return `${[...INTRODUCTION, ...told].join('\n')}\n${content}`;
}

const oneLine = (text: string): string => text.replaceAll(/\r?\n/g, ' ');

/** Without the comments at its top. */
export const withoutComments = (text: string): string => text.replace(/^(#[^\n]*\n)+/, '');

/** Whether there is nothing in it but comments. */
export const isEmpty = (text: string): boolean => text.split('\n').every((line) => /^\s*(#.*)?$/.test(line));
