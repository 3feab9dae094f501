import { formatted, required } from '../../meta/field-rules.ts';
import { dns1035Label, type Format, simpleJSONPath } from '../../meta/formats.ts';
import type { Steps } from '../../runtime/pacing.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import { sameValue } from '../../schema/same-value.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from './custom-resource-definition.ts';
import { checkRules } from './rules-validation.ts';
import { validateSelectableFields } from './selectable-fields-validation.ts';
import { validateRootSchema } from './structural-schema.ts';

const LONGEST_WARNING = 256;

/** All versions of a definition, each by itself and together. */
export function* validateVersions(
  spec: CustomResourceDefinitionSpec,
  path: Path,
  problems: Problems,
  vocabulary: Vocabulary,
): Steps<void> {
  const versions = spec.versions ?? [];
  const at = path.child('versions');
  const names = versions.map(({ name }) => name);
  if (new Set(names).size < names.length) problems.invalid(at, names, 'must contain unique version names');
  if (versions.filter(({ storage }) => storage).length !== 1) {
    problems.invalid(at, names, 'must have exactly one version marked as storage version');
  }
  const places = placesOf(versions, path);
  versions.forEach((version, index) => {
    const own = at.index(index);
    formatted(problems, own, 'name', version.name, dns1035Label);
    validateWarning(version, own, problems);
    if (!version.schema?.openAPIV3Schema) {
      problems.required(own.child('schema').child('openAPIV3Schema'), 'schemas are required');
    }
  });
  for (const [index, version] of versions.entries()) {
    yield* validateParts(version, index, places, problems, vocabulary);
  }
}

/**
 * Every problem of the rules in schemas. They are looked at where the schema has no other problem, and not again where it
 * is the one that was there before.
 */
export function* validateRules(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec | undefined,
  problems: Problems,
  vocabulary: Vocabulary,
): Steps<void> {
  const versions = spec.versions ?? [];
  const known = new Set(old?.versions?.map(({ schema }) => schema?.openAPIV3Schema));
  const { schema: place } = placesOf(versions, Path.of('spec'));
  for (const [index, { schema }] of versions.entries()) {
    const root = schema?.openAPIV3Schema;
    if (!root || known.has(root) || (place.shared && index > 0)) continue;
    const path = place.at(index).child('openAPIV3Schema');
    const start = path.toString();
    if (!problems.found.some(({ field }) => field.startsWith(start)))
      yield* checkRules(root, path, problems, vocabulary);
  }
}

/** What all versions agree on is told once. */
function* validateParts(
  { schema, subresources, additionalPrinterColumns = [], selectableFields = [] }: CustomResourceDefinitionVersion,
  index: number,
  places: Places,
  problems: Problems,
  vocabulary: Vocabulary,
): Steps<void> {
  const isTold = ({ shared }: Place): boolean => index === 0 || !shared;
  const root = schema?.openAPIV3Schema;
  if (root && isTold(places.schema)) {
    const hasStatus = subresources?.status !== undefined;
    const path = places.schema.at(index).child('openAPIV3Schema');
    yield* validateRootSchema(root, path, problems, { vocabulary, hasStatus });
  }
  if (subresources?.scale && isTold(places.subresources)) {
    validateScale(subresources.scale, places.subresources.at(index).child('scale'), problems);
  }
  if (root && isTold(places.selectable)) {
    validateSelectableFields(selectableFields, root, places.selectable.at(index), problems);
  }
  if (!isTold(places.columns)) return;
  const columns = places.columns.at(index);
  for (const [at, column] of additionalPrinterColumns.entries()) validateColumn(column, columns.index(at), problems);
}

/** Where parts of versions are told: in the version, or at the top when all versions agree on them. */
interface Place {
  readonly shared: boolean;
  at(index: number): Path;
}

interface Places {
  readonly schema: Place;
  readonly subresources: Place;
  readonly columns: Place;
  /** They are held against the schema, so versions agree on them only where they agree on that. */
  readonly selectable: Place;
}

function placesOf(versions: readonly CustomResourceDefinitionVersion[], path: Path): Places {
  type Field = keyof CustomResourceDefinitionVersion & string;
  const areShared = (field: Field): boolean =>
    versions.every((version) => sameValue(version[field], versions[0]?.[field]));
  const place = (top: string, field: Field, shared = areShared(field)): Place => {
    return { shared, at: (index) => (shared ? path.child(top) : path.child('versions').index(index).child(field)) };
  };
  const schema = place('validation', 'schema');
  return {
    schema,
    subresources: place('subresources', 'subresources'),
    columns: place('additionalPrinterColumns', 'additionalPrinterColumns'),
    selectable: place('selectableFields', 'selectableFields', schema.shared && areShared('selectableFields')),
  };
}

function validateWarning(version: CustomResourceDefinitionVersion, path: Path, problems: Problems): void {
  const { deprecated, deprecationWarning: warning } = version;
  if (warning === undefined) return;
  const at = path.child('deprecationWarning');
  if (!deprecated) problems.invalid(at, warning, 'can only be set for deprecated versions');
  else if (warning === '') problems.invalid(at, warning, 'must not be empty');
  else if (warning.length > LONGEST_WARNING) {
    problems.invalid(at, warning, `must be <= ${LONGEST_WARNING} characters, was ${warning.length}`);
  } else if (/[^\P{C}]/u.test(warning)) problems.invalid(at, warning, 'must only contain printable UTF-8 characters');
}

const under =
  (what: string, ...prefixes: readonly string[]): Format =>
  (value) =>
    simpleJSONPath(value) ??
    (prefixes.some((prefix) => value.startsWith(prefix)) ? undefined : `should be a json path under ${what}`);

const UNDER_SPEC = under('.spec', '.spec.');
const UNDER_STATUS = under('.status', '.status.');
const UNDER_EITHER = under('either .spec or .status', '.spec.', '.status.');

function validateScale(scale: CustomResourceSubresourceScale, path: Path, problems: Problems): void {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = scale;
  if (required(problems, path, 'specReplicasPath', specReplicasPath)) {
    formatted(problems, path, 'specReplicasPath', specReplicasPath, UNDER_SPEC);
  }
  if (required(problems, path, 'statusReplicasPath', statusReplicasPath)) {
    formatted(problems, path, 'statusReplicasPath', statusReplicasPath, UNDER_STATUS);
  }
  if (labelSelectorPath !== '') formatted(problems, path, 'labelSelectorPath', labelSelectorPath, UNDER_EITHER);
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

const among =
  (values: readonly string[]): Format =>
  (value) =>
    values.includes(value) ? undefined : `must be one of ${values.join(',')}`;

function validateColumn(column: CustomResourceColumnDefinition, path: Path, problems: Problems): void {
  const { name, type, format = '', jsonPath } = column;
  required(problems, path, 'name', name);
  if (required(problems, path, 'type', type, `must be one of ${COLUMN_TYPES.join(',')}`)) {
    formatted(problems, path, 'type', type, among(COLUMN_TYPES));
  }
  if (format !== '') formatted(problems, path, 'format', format, among(COLUMN_FORMATS));
  // Spelled as it was when columns had a place of their own.
  if (required(problems, path, 'JSONPath', jsonPath)) formatted(problems, path, 'JSONPath', jsonPath, simpleJSONPath);
}
