import { sameJson } from '../schema/same-json.ts';
import type { ApiObject } from './resource-type.ts';

/** Owners that are named twice, word for word, are kept once. The writer is told. */
export function dropRepeatedOwners({ metadata }: ApiObject, warn: (text: string) => void): void {
  const owners = metadata.ownerReferences;
  if (!owners || owners.length < 2) return;
  const kept = owners.filter((owner, at) => owners.findIndex((other) => sameJson(other, owner)) === at);
  if (kept.length === owners.length) return;
  const repeated = owners.filter((owner) => !kept.includes(owner)).map(({ uid }) => uid);
  metadata.ownerReferences = kept;
  warn(`metadata.ownerReferences names owners more than once, which are kept once: ${repeated.join(', ')}`);
}
