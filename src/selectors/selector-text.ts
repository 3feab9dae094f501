import type { StructuredSelector } from './label-selector.ts';

type Expression = NonNullable<StructuredSelector['matchExpressions']>[number];

/** How each operator of the structured form is written in the text form. */
const WRITERS: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
};

/** The text form of a structured selector, by key; '' for one that is absent or has no requirements. */
export function selectorText(selector: StructuredSelector | null | undefined): string {
  const equalities = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => ({
    key,
    text: `${key}=${value}`,
  }));
  const expressions = (selector?.matchExpressions ?? []).map((expression) => ({
    key: expression.key,
    text: expressionText(expression),
  }));
  return [...equalities, ...expressions]
    .sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ text }) => text)
    .join(',');
}

const expressionText = ({ key, operator, values = [] }: Expression): string =>
  WRITERS[operator]?.(key, [...values].sort().join(',')) ?? '';
