import type { ScopedResourceSelectorRequirement } from '../../kinds/core/namespace/resource-quota.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import type { Usage } from './usage.ts';

/** What objects of one kind use of the resources that quotas bound. */
export interface Evaluator<T extends ApiObject = ApiObject> {
  /** Whether a change can make an object use more. */
  readonly changes: boolean;
  /** Whether this resource is one that such objects use. */
  counts(resource: string): boolean;
  usage(object: T): Usage;
  /** What every such object uses, where all use the same. */
  readonly each?: Usage;
  /** Whether the object is within a scope. Absent: such objects are in none. */
  isIn?(object: T, scope: ScopedResourceSelectorRequirement): boolean;
  /** What the object must say before these resources can be counted; '' when it has said all. */
  missing?(object: T, resources: readonly string[]): string;
}

/** Whether the object is in all of these scopes. */
export const isInAll = (
  evaluator: Evaluator,
  object: ApiObject,
  scopes: readonly ScopedResourceSelectorRequirement[],
): boolean => scopes.every((scope) => evaluator.isIn?.(object, scope) ?? false);
