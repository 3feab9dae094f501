import type { VersionLog } from '../storage/version-log.ts';
import type { Catalogue } from './catalogue.ts';
import { facetsOf } from './facets.ts';
import { objectKey } from './keys.ts';

/** Whether a namespace is there and whether it is going, without reading the object. */
export function namespaceLookup(log: VersionLog, catalogue: Catalogue) {
  return (name: string): { terminating: boolean } | undefined => {
    const type = catalogue.preferred('', 'namespaces');
    const version = type && log.get(objectKey(type, '', name));
    return version && { terminating: facetsOf(type, version).field('status.phase') === 'Terminating' };
  };
}
