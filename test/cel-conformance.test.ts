import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { excluded, runVector, vectorFiles } from './support/cel-vectors.ts';

/**
 * The public vectors of the language against our engine. What passes is written down; less fails here. To raise the
 * baseline: `UPDATE_BASELINE=1 npx vitest run test/cel-conformance.test.ts`.
 */

const BASELINE = fileURLToPath(new URL('cel-baseline.json', import.meta.url));

interface Row {
  readonly passed: number;
  readonly of: number;
  /** How many are not for us, by reason. */
  readonly excluded: Readonly<Record<string, number>>;
}

function measure(file: string): Row & { readonly failures: readonly string[] } {
  const reasons: Record<string, number> = {};
  const failures: string[] = [];
  let of = 0;
  for (const vector of vectorFiles.get(file) ?? []) {
    const reason = excluded(file, vector);
    if (reason !== undefined) {
      reasons[reason] = (reasons[reason] ?? 0) + 1;
      continue;
    }
    of++;
    const problem = runVector(vector);
    if (problem !== undefined) failures.push(`${vector.original.expr}: ${problem}`);
  }
  return { passed: of - failures.length, of, excluded: reasons, failures };
}

const files = [...vectorFiles.keys()];
const baseline: Readonly<Record<string, Row>> = JSON.parse(readFileSync(BASELINE, 'utf8'));

describe('the conformance vectors of the language', () => {
  if (process.env.UPDATE_BASELINE) {
    const rows = files.map((file) => {
      const { failures: _, ...row } = measure(file);
      return [file, row] as const;
    });
    writeFileSync(BASELINE, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
  }

  it.each(files)('%s pass as the baseline says', (file) => {
    const { failures, ...row } = measure(file);
    expect({ of: row.of, excluded: row.excluded }).toEqual({
      of: baseline[file]?.of,
      excluded: baseline[file]?.excluded,
    });
    expect(row.passed, failures.join('\n')).toBeGreaterThanOrEqual(baseline[file]?.passed ?? 0);
  });

  it('number more than a thousand and a half, of which hardly one fails', () => {
    const rows = Object.values(baseline);
    const passed = rows.reduce((sum, row) => sum + row.passed, 0);
    const of = rows.reduce((sum, row) => sum + row.of, 0);
    expect(of).toBeGreaterThan(1_500);
    expect(passed / of).toBeGreaterThan(0.99);
  });
});
