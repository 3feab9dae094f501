import { formatQuantity, parseQuantity, type Quantity } from '../../schema/quantity.ts';

/** How much of each resource. What is not in it is none. */
export type Usage = ReadonlyMap<string, Quantity>;

type Amounts = Readonly<Record<string, string>>;

export const NOTHING: Usage = new Map();
export const ONE: Quantity = { nanos: 1_000_000_000n, family: 'decimal' };
export const ZERO: Quantity = { nanos: 0n, family: 'decimal' };

export const whole = (count: number): Quantity => ({ nanos: BigInt(count) * ONE.nanos, family: 'decimal' });

export function usageOf(amounts: Amounts | undefined): Usage {
  const usage = new Map<string, Quantity>();
  for (const name in amounts) usage.set(name, parseQuantity(amounts[name] ?? '') ?? ZERO);
  return usage;
}

export const amountsOf = (usage: Usage): Record<string, string> =>
  Object.fromEntries([...usage].map(([name, quantity]) => [name, formatQuantity(quantity)]));

/** A sum is spelt as its first part is, unless that is nothing. */
const plus = (a: Quantity, b: Quantity): Quantity => ({
  nanos: a.nanos + b.nanos,
  family: a.nanos === 0n ? b.family : a.family,
});

export function sum(a: Usage, b: Usage): Usage {
  if (b.size === 0) return a;
  const total = new Map(a);
  for (const [name, quantity] of b) total.set(name, plus(total.get(name) ?? ZERO, quantity));
  return total;
}

/** Of each resource what is more. */
export function most(a: Usage, b: Usage): Usage {
  const larger = new Map(a);
  for (const [name, quantity] of b) {
    const known = larger.get(name);
    if (!known || known.nanos < quantity.nanos) larger.set(name, quantity);
  }
  return larger;
}

/** What `a` has more than `b`; resources of which it has no more are not in it. */
export function excess(a: Usage, b: Usage): Usage {
  const more = new Map<string, Quantity>();
  for (const [name, { nanos, family }] of a) {
    const difference = nanos - (b.get(name)?.nanos ?? 0n);
    if (difference > 0n) more.set(name, { nanos: difference, family });
  }
  return more;
}

export function only(usage: Usage, wanted: (name: string) => boolean): Usage {
  const some = new Map<string, Quantity>();
  for (const [name, quantity] of usage) if (wanted(name)) some.set(name, quantity);
  return some;
}

export const times = (usage: Usage, count: number): Usage =>
  new Map([...usage].map(([name, { nanos, family }]) => [name, { nanos: nanos * BigInt(count), family }]));

export function sameUsage(a: Usage, b: Usage): boolean {
  if (a.size !== b.size) return false;
  for (const [name, { nanos }] of a) if (b.get(name)?.nanos !== nanos) return false;
  return true;
}

/** `cpu=1,memory=2Gi` */
export const usageText = (usage: Usage): string =>
  Object.entries(amountsOf(usage))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, amount]) => `${name}=${amount}`)
    .join(',');

/** Adds to a sum that is still being made. */
export function addTo(total: Map<string, Quantity>, usage: Usage, wanted: (name: string) => boolean): void {
  for (const [name, quantity] of usage) {
    if (wanted(name)) total.set(name, plus(total.get(name) ?? ZERO, quantity));
  }
}
