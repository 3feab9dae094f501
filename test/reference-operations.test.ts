import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Features } from '../src/features/features.ts';
import { MEANINGLESS_FLAGS } from '../src/settings/meaningless-flags.ts';
import { FLAG_ROWS } from '../src/settings/settings.ts';

const REFERENCE = fileURLToPath(new URL('../../shared/reference/operations.json', import.meta.url));

interface Operations {
  readonly flags: Readonly<Record<string, object>>;
  readonly featureGates: Readonly<Record<string, { readonly stage: string; readonly default: boolean }>>;
}

const operations: Operations | undefined = existsSync(REFERENCE)
  ? JSON.parse(readFileSync(REFERENCE, 'utf8'))
  : undefined;

/** Answered before flags are read. */
const BEFORE_OTHERS = ['help', 'version'];

describe.skipIf(!operations)('start scripts of the reference (skipped where there is none)', () => {
  const own = FLAG_ROWS.map(([, { name }]) => name);
  const known: ReadonlySet<string> = new Set([...own, ...Object.keys(MEANINGLESS_FLAGS), ...BEFORE_OTHERS]);

  it('may pass every flag', () => {
    expect(Object.keys(operations?.flags ?? {}).filter((name) => !known.has(name))).toEqual([]);
  });

  it('are told of no flag both that it means something and that it does not', () => {
    expect(own.filter((name) => Object.hasOwn(MEANINGLESS_FLAGS, name))).toEqual([]);
  });

  it('may switch every feature, which is as it is there', () => {
    const states = new Map([...new Features().all()].map((state) => [String(state.name), state]));
    const others = Object.entries(operations?.featureGates ?? {}).filter(([name]) => !/^All(Alpha|Beta)$/.test(name));
    expect(others.length).toBeGreaterThan(90);
    for (const [name, { stage, default: isOn }] of others) expect(states.get(name)).toEqual({ name, stage, isOn });
  });
});
