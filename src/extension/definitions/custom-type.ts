import { createHash } from 'node:crypto';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '../../kinds/apiextensions/custom-resource-definition.ts';
import { dns1123Subdomain } from '../../meta/formats.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import {
  type ApiObject,
  type Deprecation,
  type ResourceType,
  type ResourceTypeSpec,
  resourceType,
  type Subresource,
  statusSubresource,
} from '../../registry/resource-type.ts';
import { compareVersions } from '../../registry/version-order.ts';
import { type Draft, draftOf } from '../../schema/draft.ts';
import { jsonOnly, kind } from '../../schema/schema.ts';
import { customColumns } from './columns.ts';
import type { CompiledSchemas, SchemaSource } from './compiled-schemas.ts';
import { customScale, validateReplicas } from './replicas.ts';
import { customFields } from './selectable-fields.ts';

type Version = CustomResourceDefinitionVersion;

/** Stands for everything that a type is made of: types of equal digests behave alike. */
export function typeDigest(definition: CustomResourceDefinition, version: Version, schemaText: string): string {
  const { group, scope, preserveUnknownFields, conversion } = definition.spec;
  const { acceptedNames } = definition.status;
  const deprecation = deprecationOf(definition, version);
  const own = { ...version, schema: undefined };
  const parts = [group, scope, preserveUnknownFields, conversion, acceptedNames, own, deprecation];
  return createHash('sha256').update(JSON.stringify(parts)).update(schemaText).digest('base64');
}

/** JSON of the schema of a version, or `null`. */
export const schemaTextOf = ({ schema }: Version): string => JSON.stringify(schema?.openAPIV3Schema ?? null);

/** One version of a custom kind. Its schema is compiled on first use. `digest`: that of `typeDigest`. */
export function customType(
  definition: CustomResourceDefinition,
  version: Version,
  { schemaText, digest }: { readonly schemaText: string; readonly digest: string },
  schemas: CompiledSchemas,
): ResourceType {
  const { group, scope, preserveUnknownFields = false } = definition.spec;
  const { plural, kind: kindName } = definition.status.acceptedNames;
  const schemaName = `${group}/${version.name}.${kindName}`;
  const source = schemas.source(schemaText, { name: schemaName, preserveUnknownFields });
  const deprecation = deprecationOf(definition, version);
  const selectableFields = customFields(version.selectableFields);
  const type = resourceType<ApiObject>({
    group,
    version: version.name,
    plural,
    ...namesOf(definition),
    namespaced: scope === 'Namespaced',
    nameRule: dns1123Subdomain,
    collection: `${plural}.${group}`,
    schemaName,
    digest,
    schema: NOT_COMPILED,
    strategy: { unconditionalUpdate: false, generation: true },
    repeatsType: true,
    namesItself: true,
    plainPatches: true,
    namesRefusedVerbs: true,
    columns: customColumns(version.additionalPrinterColumns),
    ...behaviourOf(version, source),
    ...(selectableFields && { selectableFields }),
    ...(deprecation && { deprecation }),
  });
  return Object.defineProperty(type, 'schema', { get: () => source.compiled.schema });
}

/** Holds the place of a schema until somebody asks for it. */
const NOT_COMPILED = kind('extension.Object', { metadata: jsonOnly(ObjectMeta) });

function namesOf({ status }: CustomResourceDefinition) {
  const { singular = '', kind, listKind = '', shortNames, categories } = status.acceptedNames;
  return {
    kind,
    singular,
    ...(listKind === '' ? {} : { listKind }),
    ...(shortNames ? { shortNames } : {}),
    ...(categories ? { categories } : {}),
  };
}

/** What happens on writes, with or without a status of its own. */
function behaviourOf({ subresources }: Version, source: SchemaSource): Partial<ResourceTypeSpec<ApiObject>> {
  const { status, scale } = subresources ?? {};
  const paths: Record<string, Subresource<ApiObject>> = {};
  if (status) paths.status = statusSubresource<ApiObject>({ resets: ['spec'], prepareUpdate: restoreAllButStatus });
  if (scale) paths.scale = customScale(scale);
  return {
    subresources: paths,
    rules: status ? { resets: ['status'] } : {},
    createResets: [],
    ...(status ? { prepareCreate: dropStatus } : { bumpsGeneration: isOtherwise }),
    *validate(object, problems, _context, old) {
      yield* source.compiled.validateInSteps(object, problems, old);
      if (scale) validateReplicas(scale, object, problems);
    },
    *validateInSteps(object, old, problems) {
      yield* source.compiled.rules?.checkInSteps(object, old, problems) ?? [];
    },
  };
}

type Free = { [name: string]: unknown };

/** Objects of custom kinds as what they are: their own fields can be anything. */
const free = (object: Draft<ApiObject>): Free => object as unknown as Free;

function dropStatus(object: Draft<ApiObject>): void {
  delete free(object).status;
}

/** A write of the status changes nothing else, but for who owns which field. */
function restoreAllButStatus(object: Draft<ApiObject>, old: ApiObject): void {
  const { managedFields, resourceVersion } = object.metadata;
  const fields = free(object);
  for (const name of Object.keys(fields)) if (name !== 'status') delete fields[name];
  const { status: _status, ...kept } = free(draftOf(old));
  Object.assign(fields, kept);
  Object.assign(object.metadata, { managedFields, resourceVersion });
}

const NOT_DESIRED = new Set(['kind', 'apiVersion', 'metadata']);

/** Without a status of its own, everything but metadata is desired state. */
function isOtherwise(object: ApiObject, old: ApiObject): boolean {
  const [now, before]: { readonly [name: string]: unknown }[] = [{ ...object }, { ...old }];
  const names = Object.keys({ ...now, ...before });
  return names.some((name) => !NOT_DESIRED.has(name) && now?.[name] !== before?.[name]);
}

/** Without a warning of its own, a deprecated version points to the best served one that is newer and is not deprecated. */
function deprecationOf({ spec, status }: CustomResourceDefinition, version: Version): Deprecation | undefined {
  if (!version.deprecated) return undefined;
  if (version.deprecationWarning !== undefined) return { warning: version.deprecationWarning };
  const [best] = (spec.versions ?? [])
    .filter(({ name, served, deprecated }) => served && !deprecated && compareVersions(name, version.name) < 0)
    .map(({ name }) => name)
    .sort(compareVersions);
  return best === undefined ? {} : { replacement: `${spec.group}/${best} ${status.acceptedNames.kind}` };
}
