import { createRefused } from '../api/errors.ts';
import type { ResourceType } from './resource-type.ts';
import type { WriteParts } from './write.ts';

/** A kind that is going takes no new objects. */
export function demandCreatable(parts: WriteParts, type: ResourceType): void {
  const refusal = parts.kindOf(type)?.refusesCreate;
  if (refusal !== undefined) throw createRefused({ group: type.group, resource: type.plural }, refusal);
}
