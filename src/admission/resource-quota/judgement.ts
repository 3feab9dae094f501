import { ApiError, forbidden } from '../../api/errors.ts';
import type { ScopedResourceSelectorRequirement } from '../../kinds/core/namespace/resource-quota.ts';
import type { ApiObject, ResourceType } from '../../registry/resource-type.ts';
import type { Balance } from './balance.ts';
import type { LimitedResource } from './configuration.ts';
import { type Evaluator, isInAll } from './evaluator.ts';
import { only, type Usage, usageText } from './usage.ts';

/** A write, as quotas see it. */
export interface Claim {
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
  readonly object: ApiObject;
  readonly evaluator: Evaluator;
  /** All that the object uses. */
  readonly usage: Usage;
  /** What the write adds to that. */
  readonly added: Usage;
  /** What may be used only where a quota allows it. */
  readonly limited: readonly LimitedResource[];
  readonly dryRun: boolean;
}

/** What a write adds to one quota. */
export interface Due {
  readonly balance: Balance;
  readonly added: Usage;
}

/**
 * What the write adds to each quota that it is held against, but for those that it has been charged to. Throws the
 * refusal when one of them has no room for it.
 */
export function judge(claim: Claim, balances: readonly Balance[], charged: ReadonlySet<string>): Due[] {
  const { evaluator, object } = claim;
  const holding = balances.filter(
    ({ hard, scopes }) => resourcesOf(hard, evaluator).length > 0 && isInAll(evaluator, object, scopes),
  );
  for (const balance of holding) demandFacts(claim, balance);
  if (claim.added.size === 0) return [];
  demandCover(claim, holding, balances);
  return holding.filter(({ name }) => !charged.has(name)).map((balance) => room(claim, balance));
}

const resourcesOf = (hard: Usage, evaluator: Evaluator): string[] =>
  [...hard.keys()].filter((name) => evaluator.counts(name));

/** Whether the quota has limits on such objects without knowing how much of them is used. */
export const isUnmeasured = ({ hard, before }: Balance, evaluator: Evaluator): boolean =>
  resourcesOf(hard, evaluator).some((name) => !before.has(name));

function demandFacts(claim: Claim, balance: Balance): void {
  const { evaluator, object } = claim;
  const resources = resourcesOf(balance.hard, evaluator);
  const missing = evaluator.missing?.(object, resources) ?? '';
  if (missing !== '') throw refusal(claim, `failed quota: ${balance.name}: ${missing}`);
  if (isUnmeasured(balance, evaluator)) {
    throw refusal(claim, `status unknown for quota: ${balance.name}, resources: ${resources.sort().join(',')}`);
  }
}

/** What is limited by configuration needs a quota that speaks of it. */
function demandCover(claim: Claim, holding: readonly Balance[], all: readonly Balance[]): void {
  const { limited, type, usage, evaluator, object } = claim;
  if (limited.length === 0) return;
  const named = limited.filter(({ group, plural }) => group === type.group && plural === type.plural);
  const wanted = [...only(usage, (name) => named.some(({ matchContains }) => matchContains.some(within(name))))]
    .filter(([, { nanos }]) => nanos > 0n)
    .map(([name]) => name);
  const uncovered = wanted.filter((name) => !holding.some(({ hard }) => hard.has(name)));
  if (uncovered.length > 0) throw refusal(claim, `insufficient quota to consume: ${uncovered.sort().join(',')}`);

  const isIn = (scope: ScopedResourceSelectorRequirement): boolean => evaluator.isIn?.(object, scope) ?? false;
  const covered = new Set(all.flatMap(({ scopes }) => scopes.filter(isIn)).map(({ scopeName }) => scopeName));
  const bare = limited
    .flatMap(({ matchScopes }) => matchScopes.filter(isIn))
    .filter(({ scopeName }) => !covered.has(scopeName));
  // Clients know this one as an error of the server, without a word about the object.
  if (bare.length > 0)
    throw new ApiError('', `insufficient quota to match these scopes: [${bare.map(text).join(' ')}]`);
}

const within =
  (name: string) =>
  (part: string): boolean =>
    name.includes(part);

const text = ({ scopeName, operator, values = [] }: ScopedResourceSelectorRequirement): string =>
  `{${scopeName} ${operator} [${values.join(' ')}]}`;

function room(claim: Claim, balance: Balance): Due {
  const { name, hard, used } = balance;
  const added = only(claim.added, (resource) => hard.has(resource));
  const amount = (usage: Usage, resource: string): bigint => usage.get(resource)?.nanos ?? 0n;
  const isExceeded = (resource: string): boolean =>
    added.has(resource) && amount(used, resource) + amount(added, resource) > amount(hard, resource);
  if (![...added.keys()].some(isExceeded)) return { balance, added };
  const [requested, before, limit] = [added, used, hard].map((usage) => usageText(only(usage, isExceeded)));
  throw refusal(claim, `exceeded quota: ${name}, requested: ${requested}, used: ${before}, limited: ${limit}`);
}

const refusal = ({ type, name }: Claim, why: string): ApiError =>
  forbidden({ group: type.group, resource: type.plural }, name, why);
