import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FILE_FLAGS } from '../src/settings/command-line.ts';
import { FLAG_ROWS } from '../src/settings/settings.ts';

const text = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** The part of a text from one mark to the next one after it. */
function part(whole: string, from: string, to: string): string {
  const start = whole.indexOf(from);
  expect(start, `"${from}" is missing`).toBeGreaterThanOrEqual(0);
  const end = whole.indexOf(to, start + from.length);
  return whole.slice(start, end < 0 ? undefined : end);
}

/** The first column of the rows of a table, without its head. */
const firstColumn = (table: string): string[] => [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);

describe('docs/errors.md', () => {
  it('has every reason with its code, and no other', () => {
    const source = part(text('src/api/errors.ts'), 'const CODES', '};');
    const reasons = [...source.matchAll(/^ {2}(\w+): (\d+),/gm)].map(([, reason, code]) => `${reason} ${code}`);
    const rows = [...text('docs/errors.md').matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(
      ([, reason, code]) => `${reason} ${code}`,
    );
    expect(reasons.length).toBeGreaterThan(10);
    expect(rows).toEqual(reasons);
  });
});

describe.each(['operations', 'configuration', 'any-language', 'logging'])('docs/%s.md', (name) => {
  it('names no flag that there is not', () => {
    const others = [
      'help',
      'global',
      'file',
      'tag',
      'data-dir',
      'kubeconfig',
      'sample',
      'kubeconfig-out',
      'print-assets',
      'cert-dir',
      'no-allocation-site-pretenuring',
      'v8-pool-size',
    ];
    const known = new Set([...FLAG_ROWS, ...Object.entries(FILE_FLAGS)].map(([, flag]) => flag.name).concat(others));
    const named = [...text(`docs/${name}.md`).matchAll(/(?<=[\s`(])--([a-z][a-z0-9-]*)/g)].map(([, flag = '']) => flag);
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter((flag) => !known.has(flag))).toEqual([]);
  });
});

describe('docs/logging.md', () => {
  it('has every part that the time of a slow request goes to', () => {
    const parts = [...text('src/observe/logging/slow-requests.ts').matchAll(/readonly (\w+Ms)\?:/g)].map(
      ([, part]) => part,
    );
    const rows = firstColumn(part(text('docs/logging.md'), '## Slow requests', '\n## ')).filter(
      (row) => row !== 'untold',
    );
    expect(parts.length).toBeGreaterThan(4);
    expect(rows).toEqual(parts);
  });
});

describe('docs/lifecycle.md', () => {
  const lifecycle = text('docs/lifecycle.md');
  const stagesOf = (list: string): string[] =>
    [...part(text('src/registry/write-path.ts'), `const ${list}`, '];').matchAll(/^ {2}(\w+),/gm)].map(
      ([, name = '']) => name,
    );

  it('has the stages of a write, in order', () => {
    expect(stagesOf('CHANGE').length).toBeGreaterThan(5);
    expect(firstColumn(part(lifecycle, '## Writes', '\n## '))).toEqual(stagesOf('CHANGE'));
  });

  it('has the stages of a deletion, in order', () => {
    expect(stagesOf('DELETION').length).toBeGreaterThan(3);
    expect(firstColumn(part(lifecycle, '## Deletions', '\n## '))).toEqual(stagesOf('DELETION'));
  });

  it('has the stages of a request, in order', () => {
    const serve = part(text('src/request/pipeline.ts'), 'async function serve', '} catch');
    const stages =
      /\b(deadlines\.\w+|authentication\.\w+|observer\.\w+|limiter\.\w+|answer\.\w+|actAs|prepareBody|authorize|dispatch)\(/g;
    const called = [...serve.matchAll(stages)].map(([, name = '']) => name);
    expect(firstColumn(part(lifecycle, '## Every request', '\n## '))).toEqual(called);
  });
});
