import { DEFAULT_FEATURES } from '../../src/features/features.ts';
import { NO_ADMISSION } from '../../src/registry/admission.ts';
import type { Catalogue } from '../../src/registry/catalogue.ts';
import { Encoder } from '../../src/registry/encoding.ts';
import { FieldsOfNew } from '../../src/registry/fields-of-new.ts';
import { LiveObjects } from '../../src/registry/live-objects.ts';
import type { Objects } from '../../src/registry/objects.ts';
import { Registry } from '../../src/registry/registry.ts';
import type { WriteParts } from '../../src/registry/write.ts';

interface RegistryParts extends Partial<Omit<WriteParts, 'live' | 'servedAs' | 'kindOf'>> {
  readonly log: WriteParts['log'];
  readonly runtime: WriteParts['runtime'];
  readonly vocabulary: WriteParts['vocabulary'];
  readonly catalogue: Catalogue;
  readonly objects: Objects;
}

/** A registry with what nobody looks at in most tests; no admission unless given. */
export function plainRegistry({ catalogue, objects, ...parts }: RegistryParts): Registry {
  return new Registry({
    features: DEFAULT_FEATURES,
    admission: NO_ADMISSION,
    encoder: new Encoder(parts.runtime),
    fieldsOfNew: new FieldsOfNew(),
    live: new LiveObjects(objects),
    servedAs: (hub, apiVersion) => catalogue.servedAs(hub, apiVersion),
    kindOf: (type) => catalogue.kindOf(type),
    ...parts,
  });
}
