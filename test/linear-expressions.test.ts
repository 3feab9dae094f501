import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { checkSync } from 'recheck';
import { parseAst } from 'vite';
import { expect, it } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(name))
  .map((name) => join(source, name));

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

function* nodesIn(value: unknown): Generator<SyntaxNode> {
  if (isNode(value)) yield value;
  for (const inner of Object.values(value ?? {})) if (typeof inner === 'object') yield* nodesIn(inner);
}

interface Expressions {
  readonly literals: readonly string[];
  /** Made by the constructor of a text: nobody can tell here what they are. */
  readonly made: readonly string[];
}

async function expressionsIn(file: string): Promise<Expressions> {
  const { code } = await transform(readFileSync(file, 'utf8'), { loader: 'ts', target: 'esnext' });
  const nodes = [...nodesIn(parseAst(code))];
  const textOf = ({ start, end }: SyntaxNode): string => code.slice(start, end);
  return {
    literals: nodes.filter((node) => node.type === 'Literal' && 'regex' in node).map(textOf),
    made: nodes.map(textOf).filter((text) => /^(?:new )?RegExp\(/.test(text)),
  };
}

const found = Promise.all(files.map(expressionsIn));

/** Most expressions take the checker a few milliseconds; on a busy machine the hardest take seconds. */
const PATIENCE_MS = 120_000;

/** Where the checker has to try, it goes by the clock, and a busy machine misleads it: then it is asked again. */
const ATTEMPTS = 3;

/** Undefined for an expression that takes linear time. */
function verdictOn(literal: string): string | undefined {
  const end = literal.lastIndexOf('/');
  for (let attempt = 1; ; attempt++) {
    const check = checkSync(literal.slice(1, end), literal.slice(end + 1), { timeout: PATIENCE_MS });
    if (check.status === 'safe') return undefined;
    if (check.checker !== 'fuzz' || attempt === ATTEMPTS) return check.status;
  }
}

it('every regular expression takes linear time, whatever it is held against', {
  timeout: 5 * PATIENCE_MS,
}, async () => {
  const expressions = await found;
  const places = new Map<string, string>();
  expressions.forEach(({ literals }, at) => {
    for (const literal of literals) places.set(literal, relative(source, files[at] ?? ''));
  });
  expect(places.size).toBeGreaterThan(100);
  const verdicts = [...places].map(([literal, place]) => ({ place, literal, verdict: verdictOn(literal) }));
  expect(verdicts.filter(({ verdict }) => verdict !== undefined)).toEqual([]);
});

it('no regular expression is made of a text, which nothing checks', async () => {
  expect((await found).flatMap(({ made }) => made)).toEqual([]);
});
