import type { CustomResourceDefinition } from '../../kinds/apiextensions/custom-resource-definition.ts';
import { Kind } from '../../registry/kind.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import type { BatchConversion } from '../../registry/version-converter.ts';
import type { CompiledSchemas } from './compiled-schemas.ts';
import { customType, schemaTextOf, typeDigest } from './custom-type.ts';

/** A kind that a definition has become, and what it was made of. */
export interface CustomKind {
  readonly kind: Kind;
  /** By the digest of what they are made of. */
  readonly types: ReadonlyMap<string, ResourceType>;
  /** Of the whole. */
  readonly digest: string;
}

export interface CustomKindParts {
  readonly schemas: CompiledSchemas;
  /** How objects of the kind get from one version to another. */
  conversionOf(definition: CustomResourceDefinition): BatchConversion;
}

const TERMINATING = 'create not allowed while custom resource definition is terminating';

/**
 * The kind of a definition. Versions that are the same as before keep their types, and with them all that was made of those;
 * a definition that says what it said before gives the very kind that it gave.
 */
export function customKind(
  definition: CustomResourceDefinition,
  before: CustomKind | undefined,
  { schemas, conversionOf }: CustomKindParts,
): CustomKind | undefined {
  const versions = definition.spec.versions ?? [];
  const types = new Map<string, ResourceType>();
  const texts = versions.map(schemaTextOf);
  const digests = versions.map((version, at) => typeDigest(definition, version, texts[at] ?? ''));
  const refusesCreate = definition.metadata.deletionTimestamp === undefined ? undefined : TERMINATING;
  const digest = [refusesCreate, ...digests].join(' ');
  if (before?.digest === digest) return before;
  versions.forEach((version, at) => {
    const own = digests[at] ?? '';
    const made = { schemaText: texts[at] ?? '', digest: own };
    types.set(own, before?.types.get(own) ?? customType(definition, version, made, schemas));
  });
  const all = [...types.values()];
  const storage = all[versions.findIndex((version) => version.storage)];
  if (!storage) return undefined;
  const served = new Set(all.filter((_, at) => versions[at]?.served));
  const kind = new Kind({
    versions: all,
    storage,
    isServed: (type) => served.has(type),
    conversion: conversionOf(definition),
    refusesCreate,
  });
  return { kind, types, digest };
}
