/** Amounts as people write them, with their units, and what is written of them. */

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `1h30m`, `45s`, `250ms`; a bare 0 needs no unit. */
export function parseDuration(given: string): number | undefined {
  if (given === '0') return 0;
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(given)) return undefined;
  let total = 0;
  for (const [, amount = '', unit = ''] of given.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/gy)) {
    total += Number(amount) * (UNIT_MS[unit] ?? 0);
  }
  return total;
}

/** The shortest text of whole units that is read as this duration. */
export function durationText(milliseconds: number): string {
  if (milliseconds === 0) return '0s';
  const parts: string[] = [];
  let rest = milliseconds;
  for (const unit of ['h', 'm', 's'] as const) {
    const amount = Math.floor(rest / (UNIT_MS[unit] ?? 1));
    if (amount > 0) parts.push(`${amount}${unit}`);
    rest -= amount * (UNIT_MS[unit] ?? 1);
  }
  if (rest > 0) parts.push(`${rest}ms`);
  return parts.join('');
}

const UNIT_BYTES: Readonly<Record<string, number>> = {
  '': 1,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** `512MiB`, `2Gi`, `1.5GB`, or a bare number of bytes. */
export function parseBytes(given: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,15}(?:\.\d{1,6})?)([KMGT]i?)?B?$/.exec(given) ?? [];
  const bytes = Math.round(Number(amount) * (UNIT_BYTES[unit] ?? 1));
  return amount !== undefined && Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** A size as it is written, in the largest unit that fits. */
export function sizeText(bytes: number): string {
  const unit = ['Ti', 'Gi', 'Mi', 'Ki'].find((each) => bytes > 0 && bytes % (UNIT_BYTES[each] ?? 1) === 0) ?? '';
  return `${bytes / (UNIT_BYTES[unit] ?? 1)}${unit}`;
}
