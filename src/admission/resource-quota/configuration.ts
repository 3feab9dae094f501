import type { ScopedResourceSelectorRequirement } from '../../kinds/core/namespace/resource-quota.ts';
import { isObject } from '../../schema/json-object.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

/** What may be used only where a quota allows it. */
export interface LimitedResource {
  readonly group: string;
  readonly plural: string;
  /** Parts of names of the resources that are meant. */
  readonly matchContains: readonly string[];
  readonly matchScopes: readonly ScopedResourceSelectorRequirement[];
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Reads a ResourceQuotaConfiguration; without one, what no quota bounds is free. Throws an Error of one line. */
export function readConfiguration(given: unknown, { configGroups }: Vocabulary): readonly LimitedResource[] {
  if (given === undefined) return [];
  const { kind, apiVersion, limitedResources } = isObject(given) ? given : {};
  const known = [
    `${configGroups.apiserverConfig}/v1`,
    `${configGroups.resourceQuota}/v1beta1`,
    `${configGroups.resourceQuota}/v1alpha1`,
  ];
  // The older of the two groups called the kind by a shorter name.
  const isKnown = kind === 'ResourceQuotaConfiguration' || kind === 'Configuration';
  if (!isKnown || !known.includes(String(apiVersion))) {
    throw new Error(`a ResourceQuotaConfiguration of ${known[0]} is wanted`);
  }
  const entries = limitedResources ?? [];
  if (!Array.isArray(entries)) throw new Error('limitedResources must be a list');
  return entries.map((entry: unknown, at) => readLimited(entry, `limitedResources[${at}]`));
}

function readLimited(entry: unknown, place: string): LimitedResource {
  const { apiGroup = '', resource, matchContains, matchScopes } = isObject(entry) ? entry : {};
  if (typeof resource !== 'string' || resource === '') throw new Error(`${place}.resource: Required value`);
  if (typeof apiGroup !== 'string') throw new Error(`${place}.apiGroup must be a text`);
  const names = matchContains ?? [];
  if (!isTexts(names)) throw new Error(`${place}.matchContains must be a list of texts`);
  const scopes = matchScopes ?? [];
  if (!Array.isArray(scopes)) throw new Error(`${place}.matchScopes must be a list`);
  return {
    group: apiGroup,
    plural: resource,
    matchContains: names,
    matchScopes: scopes.map((scope: unknown, at) => readScope(scope, `${place}.matchScopes[${at}]`)),
  };
}

function readScope(given: unknown, place: string): ScopedResourceSelectorRequirement {
  const { scopeName, operator, values } = isObject(given) ? given : {};
  if (typeof scopeName !== 'string' || typeof operator !== 'string') {
    throw new Error(`${place} needs a scopeName and an operator`);
  }
  const listed = values ?? [];
  if (!isTexts(listed)) throw new Error(`${place}.values must be a list of texts`);
  return { scopeName, operator, values: listed };
}
