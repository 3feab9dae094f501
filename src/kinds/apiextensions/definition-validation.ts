import { eachFormatted, named, oneOf, required, unchanged } from '../../meta/field-rules.ts';
import { dns1035Label, dns1123Subdomain } from '../../meta/formats.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import type { Steps } from '../../runtime/pacing.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { validateConversion } from './conversion-validation.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
} from './custom-resource-definition.ts';
import { validateRules, validateVersions } from './version-validation.ts';

const SPEC = Path.of('spec');
const SCOPES = ['Cluster', 'Namespaced'];

/** Every problem of a definition by itself, whose schemas may be large. */
export function* validateDefinition(
  definition: CustomResourceDefinition,
  problems: Problems,
  { vocabulary }: HookContext,
): Steps<void> {
  const { spec } = definition;
  const { group, names, scope } = spec;
  named(problems, SPEC, 'group', group, domain);
  if (required(problems, SPEC, 'scope', scope)) oneOf(problems, SPEC, 'scope', scope, SCOPES);
  validateNames(names, SPEC.child('names'), problems);
  yield* validateVersions(spec, SPEC, problems, vocabulary);
  if (spec.conversion) validateConversion(spec.conversion, SPEC.child('conversion'), problems);
  validateApproval(definition, problems, vocabulary);
  if (definition.status.storedVersions) validateStoredVersions(definition, problems);
}

/** Rules may be many and long. */
export const validateDefinitionRules = (
  { spec }: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  problems: Problems,
  { vocabulary }: HookContext,
): Steps<void> => validateRules(spec, old?.spec, problems, vocabulary);

const domain = (group: string): string | undefined =>
  dns1123Subdomain(group) ?? (group.includes('.') ? undefined : 'should be a domain with at least one dot');

const mixedCase = (name: string): string | undefined => {
  const problem = dns1035Label(name.toLowerCase());
  return problem && `may have mixed case, but should otherwise match: ${problem}`;
};

function validateNames(names: CustomResourceDefinitionNames, path: Path, problems: Problems): void {
  const { plural, singular, kind, listKind, shortNames, categories } = names;
  named(problems, path, 'plural', plural, dns1035Label);
  named(problems, path, 'singular', singular, dns1035Label);
  named(problems, path, 'kind', kind, mixedCase);
  named(problems, path, 'listKind', listKind, mixedCase);
  if (kind && kind === listKind) {
    problems.invalid(path.child('listKind'), listKind, 'kind and listKind may not be the same');
  }
  eachFormatted(problems, path, 'shortNames', shortNames, dns1035Label);
  eachFormatted(problems, path, 'categories', categories, dns1035Label);
}

/** Groups of the maker's own domain are for whoever can point to an approval, or admits to having none. */
function validateApproval({ metadata, spec }: CustomResourceDefinition, problems: Problems, v: Vocabulary): void {
  if (!v.reserves(spec.group)) return;
  const key = v.annotations.apiApproved;
  const path = Path.of('metadata', 'annotations').key(key);
  const approval = metadata.annotations?.[key];
  if (!approval) problems.required(path, `protected groups must have approval annotation "${key}"`);
  else if (!approval.startsWith('unapproved') && !URL.canParse(approval)) {
    problems.invalid(path, approval, `must be the URL of an approval, or begin with "unapproved"`);
  }
}

/** Objects are in these versions, so all of them must be there, and the one that is stored among them. */
export function validateStoredVersions({ spec, status }: CustomResourceDefinition, problems: Problems): void {
  const path = Path.of('status', 'storedVersions');
  const stored = status.storedVersions ?? [];
  const versions = spec.versions ?? [];
  if (stored.length === 0) problems.invalid(path, stored, 'must have at least one stored version');
  const names = new Set(versions.map(({ name }) => name));
  stored.forEach((name, at) => {
    if (!names.has(name)) {
      problems.invalid(path.index(at), name, 'must appear in spec.versions');
    }
  });
  const storage = versions.find((version) => version.storage)?.name;
  if (stored.length > 0 && storage !== undefined && !stored.includes(storage)) {
    problems.invalid(path, stored, `must have the storage version ${storage}`);
  }
}

/** What only a new definition can get wrong: what its name is made of cannot change. */
export function validateDefinitionCreate({ metadata, spec }: CustomResourceDefinition, problems: Problems): void {
  if (metadata.name !== `${spec.names.plural}.${spec.group}`) {
    problems.invalid('metadata.name', metadata.name ?? '', 'must be spec.names.plural+"."+spec.group');
  }
  refuseUnknownFields(spec, problems);
}

/** Older definitions may have been written when more was allowed, and may stay so. */
function refuseUnknownFields({ preserveUnknownFields }: CustomResourceDefinitionSpec, problems: Problems): void {
  if (preserveUnknownFields) problems.invalid('spec.preserveUnknownFields', true, 'must be false');
}

export function validateDefinitionUpdate(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
  problems: Problems,
): void {
  const { spec } = definition;
  if (!old.spec.preserveUnknownFields) refuseUnknownFields(spec, problems);
  unchanged(problems, SPEC, 'group', spec.group, old.spec.group);
  unchanged(problems, SPEC.child('names'), 'plural', spec.names.plural, old.spec.names.plural);
  if (isEstablished(old)) validateEstablished(spec, old.spec, problems);
}

const isEstablished = ({ status }: CustomResourceDefinition): boolean =>
  (status.conditions ?? []).some((condition) => condition.type === 'Established' && condition.status === 'True');

/** Once there may be objects, what they are called and where they are cannot change. */
function validateEstablished(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec,
  problems: Problems,
): void {
  unchanged(problems, SPEC, 'scope', spec.scope, old.scope);
  unchanged(problems, SPEC.child('names'), 'kind', spec.names.kind, old.names.kind);
}
