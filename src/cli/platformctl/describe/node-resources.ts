import type { Node } from '../../../kinds/core/node/node.ts';
import type { Pod } from '../../../kinds/core/pod/pod.ts';
import { age } from '../../../kinds/printing.ts';
import { formatQuantity, parseQuantity, type Quantity } from '../../../schema/quantity.ts';
import { rulesOf, type Sheet } from './sheet.ts';

type Amounts = Readonly<Record<string, string>> | null | undefined;
type Sums = Map<string, Quantity>;

const ZERO: Quantity = { nanos: 0n, family: 'decimal' };
const HUGE_PAGES = 'hugepages-';
const STANDARD: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

/** What pods ask for of a node, and may use, each and together. */
export function writeNodeResources(sheet: Sheet, { status }: Node, pods: readonly Pod[], now: number): void {
  const allocatable = Object.keys(status.allocatable ?? {}).length > 0 ? status.allocatable : status.capacity;
  const demands = pods.map((pod) => ({ pod, ...demandOf(pod) }));
  sheet.field('Non-terminated Pods', `(${pods.length} in total)`);
  const header = ['Namespace', 'Name', '', 'CPU Requests', 'CPU Limits', 'Memory Requests', 'Memory Limits', 'Age'];
  const rows = demands.map(({ pod, requests, limits }) => [
    pod.metadata.namespace ?? '',
    pod.metadata.name ?? '',
    '',
    ...['cpu', 'memory'].flatMap((name) => [share(requests, allocatable, name), share(limits, allocatable, name)]),
    age(pod.metadata.creationTimestamp, now),
  ]);
  sheet.table(1, header, rows);
  sheet.line(0, 'Allocated resources:');
  sheet.line(1, '(Total limits may be over 100 percent, i.e., overcommitted.)');
  const requests: Sums = new Map();
  const limits: Sums = new Map();
  for (const demand of demands) {
    addAll(requests, demand.requests);
    addAll(limits, demand.limits);
  }
  const others = Object.keys(allocatable ?? {}).sort();
  const huge = others.filter((name) => name.startsWith(HUGE_PAGES));
  const counted = ['cpu', 'memory', 'ephemeral-storage', ...huge].map((name) => [
    name,
    share(requests, allocatable, name),
    share(limits, allocatable, name),
  ]);
  const extended = others
    .filter((name) => !STANDARD.has(name) && !name.startsWith(HUGE_PAGES))
    .map((name) => [name, formatQuantity(requests.get(name) ?? ZERO), formatQuantity(limits.get(name) ?? ZERO)]);
  const totals = ['Resource', 'Requests', 'Limits'];
  sheet.table(1, totals, [...counted, ...extended], rulesOf(totals));
}

/** `250m (12%)`. */
function share(sums: Sums, allocatable: Amounts, name: string): string {
  const amount = sums.get(name) ?? ZERO;
  const whole = parseQuantity(allocatable?.[name] ?? '0')?.nanos ?? 0n;
  const percent = whole === 0n ? 0 : Math.trunc((Number(amount.nanos) / Number(whole)) * 100);
  return `${formatQuantity(amount)} (${percent}%)`;
}

/** What a pod takes: its containers together, or the largest of those that run before them, and what it costs to run it. */
function demandOf({ spec }: Pod): { readonly requests: Sums; readonly limits: Sums } {
  const requests: Sums = new Map();
  const limits: Sums = new Map();
  for (const { resources } of spec.containers ?? []) {
    addAll(requests, sumsOf(resources.requests));
    addAll(limits, sumsOf(resources.limits));
  }
  for (const { resources } of spec.initContainers ?? []) {
    raiseAll(requests, sumsOf(resources.requests));
    raiseAll(limits, sumsOf(resources.limits));
  }
  const overhead = sumsOf(spec.overhead);
  addAll(requests, overhead);
  for (const [name, amount] of overhead) if (limits.has(name)) addAll(limits, new Map([[name, amount]]));
  return { requests, limits };
}

const sumsOf = (amounts: Amounts): Sums =>
  new Map(Object.entries(amounts ?? {}).map(([name, amount]) => [name, parseQuantity(amount) ?? ZERO]));

function addAll(sums: Sums, more: Sums): void {
  for (const [name, { nanos, family }] of more) {
    const sum = sums.get(name);
    sums.set(name, sum ? { nanos: sum.nanos + nanos, family: sum.family } : { nanos, family });
  }
}

function raiseAll(sums: Sums, least: Sums): void {
  for (const [name, amount] of least) {
    if ((sums.get(name) ?? ZERO).nanos < amount.nanos || !sums.has(name)) sums.set(name, amount);
  }
}
