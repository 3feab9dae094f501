import { type FieldSet, fieldSetOf } from '../apply/field-set.ts';
import type { ResourceType } from './resource-type.ts';
import { hubOf } from './versions.ts';

/** What the server sets, and therefore nobody owns. */
const SERVER_OWNED = [
  'apiVersion',
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.resourceVersion',
  'metadata.generation',
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
  'metadata.deletionGracePeriodSeconds',
  'metadata.selfLink',
  'metadata.managedFields',
];

const ignoredSets = new Map<string, FieldSet>();

/** What a write through an endpoint cannot own: the server's fields, and those the endpoint cannot change. */
export function ignoredBy(type: ResourceType, subresource: string): FieldSet {
  const hub = hubOf(type);
  const resets = (subresource === '' ? hub.rules.resets : hub.subresources[subresource]?.rules?.resets) ?? [];
  const key = resets.join(' ');
  const known = ignoredSets.get(key);
  if (known) return known;
  const made = fieldSetOf(...SERVER_OWNED, ...resets.filter((path) => path !== 'metadata'));
  ignoredSets.set(key, made);
  return made;
}
