import { tests as checking } from '@bufbuild/cel-spec/testdata/checking.js';
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';
import { expect, it } from 'vitest';
import { compileExpression } from '../src/cel/expression.ts';
import { standardFunctions } from '../src/cel/functions/standard.ts';
import { renderIssues } from '../src/cel/syntax/issue.ts';

/** What is wrong with an expression is told as the reference implementation tells it, to the column. */

interface Vector {
  readonly original: { readonly expr: string };
  readonly error?: string;
}

const vectors: readonly Vector[] = [...(parsing.tests ?? []), ...(checking.tests ?? [])];

/** What the reference implementation was not told to support when the vectors were made. */
const UNSUPPORTED_THERE = /unsupported syntax|recursion|lookahead|recovery|google\.expr|wrapper|_<|_>|Message|Msg/;

const environment = { variables: new Map(), functions: standardFunctions() };

function told(source: string): string {
  const compiled = compileExpression(source, environment);
  return 'issues' in compiled ? renderIssues(source, compiled.issues) : '';
}

/** The source has no name there. */
const named = (error: string): string => error.replaceAll('ERROR: :', 'ERROR: <input>:');

const relevant = vectors.filter(
  ({ original, error }) => error !== undefined && !UNSUPPORTED_THERE.test(`${error}${original.expr}`),
);

/** Texts that were the same when this was written; fewer are a step back. */
const SAME_TEXTS = 112;
const SAME_FIRST_LINES = 121;

it('as the reference implementation tells it', () => {
  const pairs = relevant.map(({ original, error = '' }) => [told(original.expr), named(error)] as const);
  const same = pairs.filter(([ours, theirs]) => ours === theirs).length;
  const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
  const sameFirst = pairs.filter(([ours, theirs]) => firstLine(ours) === firstLine(theirs)).length;
  expect(same).toBeGreaterThanOrEqual(SAME_TEXTS);
  expect(sameFirst).toBeGreaterThanOrEqual(SAME_FIRST_LINES);
});
