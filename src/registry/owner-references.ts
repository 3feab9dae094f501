import type { Draft } from '../schema/draft.ts';
import type { ApiObject } from './resource-type.ts';

/** Owners that are named twice, word for word, are kept once. The writer is told. */
export function dropRepeatedOwners({ metadata }: Draft<ApiObject>, warn: (text: string) => void): void {
  const owners = metadata.ownerReferences;
  if (!owners || owners.length < 2) return;
  // Hardly any are: their identities, which are quicker to compare, show it.
  if (new Set(owners.map(({ uid }) => uid)).size === owners.length) return;
  const seen = new Set<string>();
  const repeated: string[] = [];
  const kept = owners.filter((owner) => {
    const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = owner;
    const text = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
    if (!seen.has(text)) return seen.add(text);
    repeated.push(uid);
    return false;
  });
  if (repeated.length === 0) return;
  metadata.ownerReferences = kept;
  warn(`metadata.ownerReferences names owners more than once, which are kept once: ${repeated.join(', ')}`);
}
