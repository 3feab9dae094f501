import { formatQuantity, parseQuantity } from '../../../schema/quantity.ts';

type Usage = Readonly<Record<string, string>>;

const MILLI = 1_000_000n;
const MEBI = 1_048_576n * 1_000_000_000n;

/** In billionths; nothing where nothing is known. */
export const amount = (text: string | undefined): bigint => parseQuantity(text ?? '0')?.nanos ?? 0n;

/** In thousandths of a processor, rounded up: `250m`. */
export const coresText = (text: string | undefined): string => `${(amount(text) + MILLI - 1n) / MILLI}m`;

export const memoryText = (text: string | undefined): string => `${amount(text) / MEBI}Mi`;

/** `12%`, or that nobody knows of how much. */
export function shareText(used: string | undefined, whole: string | undefined): string {
  const all = amount(whole);
  return all === 0n ? '<unknown>' : `${(amount(used) * 100n) / all}%`;
}

/** What several use together. */
export function totals(usages: readonly Usage[]): Usage {
  const sum = (name: string, family: 'decimal' | 'binary'): string =>
    formatQuantity({ nanos: usages.reduce((all, usage) => all + amount(usage[name]), 0n), family });
  return { cpu: sum('cpu', 'decimal'), memory: sum('memory', 'binary') };
}
