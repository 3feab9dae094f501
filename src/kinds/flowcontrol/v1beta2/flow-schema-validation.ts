import { distinct, formatted, named, required } from '../../../meta/field-rules.ts';
import { dns1123Label, dns1123Subdomain } from '../../../meta/formats.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { sameValue } from '../../../schema/same-value.ts';
import type {
  FlowSchema,
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
} from './flow-schema.ts';
import type { ServiceAccountSubject, Subject } from './subject.ts';

const SPEC = Path.of('spec');
const CONDITIONS = Path.of('status', 'conditions');
const HIGHEST_PRECEDENCE = 10_000;
const DISTINGUISHERS = ['ByNamespace', 'ByUser'];

const everything = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};
const group = (name: string): unknown => ({ kind: 'Group', group: { name } });

/** The schemas that the server cannot do without, as they have to be. */
const FIXED: ReadonlyMap<string, unknown> = new Map([
  [
    'exempt',
    {
      priorityLevelConfiguration: { name: 'exempt' },
      matchingPrecedence: 1,
      rules: [{ subjects: [group('system:masters')], ...everything }],
    },
  ],
  [
    'catch-all',
    {
      priorityLevelConfiguration: { name: 'catch-all' },
      matchingPrecedence: HIGHEST_PRECEDENCE,
      distinguisherMethod: { type: 'ByUser' },
      rules: [{ subjects: [group('system:unauthenticated'), group('system:authenticated')], ...everything }],
    },
  ],
]);

export function validateFlowSchema({ metadata, spec, status }: FlowSchema, problems: Problems): void {
  const { name = '' } = metadata;
  validateFlowSchemaSpec(spec, name, problems);
  const fixed = FIXED.get(name);
  if (fixed && !sameValue(spec, fixed)) problems.invalid(SPEC, spec, `spec of '${name}' must equal the fixed value`);
  validateFlowConditions(status.conditions ?? [], problems);
}

function validateFlowSchemaSpec(spec: FlowSchemaSpec, name: string, problems: Problems): void {
  const { matchingPrecedence: precedence, distinguisherMethod: method, priorityLevelConfiguration: level } = spec;
  const path = SPEC.child('matchingPrecedence');
  if (precedence < 1) problems.invalid(path, precedence, 'must be a positive value');
  if (precedence > HIGHEST_PRECEDENCE) {
    problems.invalid(path, precedence, `must not be greater than ${HIGHEST_PRECEDENCE}`);
  }
  if (precedence === 1 && name !== 'exempt') {
    problems.invalid(path, precedence, "only the schema named 'exempt' may have matchingPrecedence 1");
  }
  if (method && !DISTINGUISHERS.includes(method.type)) {
    problems.notSupported(SPEC.child('distinguisherMethod').child('type'), method, DISTINGUISHERS);
  }
  const levelPath = SPEC.child('priorityLevelConfiguration');
  if (required(problems, levelPath, 'name', level.name, 'must reference a priority level')) {
    formatted(problems, levelPath, 'name', level.name, dns1123Subdomain);
  }
  spec.rules?.forEach((rule, at) => {
    validateRules(rule, SPEC.child('rules').index(at), problems);
  });
}

function validateRules(rule: PolicyRulesWithSubjects, path: Path, problems: Problems): void {
  const { subjects, resourceRules = [], nonResourceRules = [] } = rule;
  required(problems, path, 'subjects', subjects, 'subjects must contain at least one value');
  subjects?.forEach((subject, at) => {
    validateSubject(subject, path.child('subjects').index(at), problems);
  });
  if (resourceRules.length === 0 && nonResourceRules.length === 0) {
    problems.required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty');
  }
  resourceRules.forEach((one, at) => {
    validateResourceRule(one, path.child('resourceRules').index(at), problems);
  });
  nonResourceRules.forEach((one, at) => {
    validatePathRule(one, path.child('nonResourceRules').index(at), problems);
  });
}

const SUBJECT_FIELDS = ['serviceAccount', 'user', 'group'] as const;
const SUBJECT_KINDS = ['Group', 'ServiceAccount', 'User'];

const kindOf = (field: string): string => `${field.charAt(0).toUpperCase()}${field.slice(1)}`;

/** A subject has the field that its kind names, and no other. */
function validateSubject(subject: Subject, path: Path, problems: Problems): void {
  const { kind } = subject;
  if (!SUBJECT_KINDS.includes(kind)) {
    problems.notSupported(path.child('kind'), kind, SUBJECT_KINDS);
    return;
  }
  for (const field of SUBJECT_FIELDS) {
    const expected = kindOf(field);
    if (kind === expected && !subject[field]) {
      problems.required(path.child(field), `${field} is required when subject kind is '${expected}'`);
    }
    if (kind !== expected && subject[field]) {
      problems.forbidden(path.child(field), `${field} is forbidden when subject kind is not '${expected}'`);
    }
  }
  const { serviceAccount, user, group: members } = subject;
  if (kind === 'ServiceAccount' && serviceAccount) validateAccount(serviceAccount, path, problems);
  if (kind === 'User' && user) required(problems, path.child('user'), 'name', user.name);
  if (kind === 'Group' && members) required(problems, path.child('group'), 'name', members.name);
}

function validateAccount({ name, namespace }: ServiceAccountSubject, path: Path, problems: Problems): void {
  const account = path.child('serviceAccount');
  if (name !== '*') named(problems, account, 'name', name, dns1123Subdomain);
  if (required(problems, account, 'namespace', namespace, 'must specify namespace for service account')) {
    formatted(problems, account, 'namespace', namespace, dns1123Label);
  }
}

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

/** What stands for everything stands alone. True when it is there. */
function validateStar(list: readonly string[], what: string, path: Path, field: string, problems: Problems): boolean {
  if (!list.includes('*')) return false;
  if (list.length > 1) problems.invalid(path.child(field), list, `if '*' is present, must not specify other ${what}`);
  return true;
}

function validateVerbs(verbs: readonly string[], path: Path, problems: Problems): void {
  if (!required(problems, path, 'verbs', verbs, 'verbs must contain at least one value')) return;
  if (validateStar(verbs, 'verbs', path, 'verbs', problems)) return;
  if (!verbs.every((verb) => VERBS.includes(verb))) problems.notSupported(path.child('verbs'), verbs, VERBS);
}

function validateResourceRule(rule: ResourcePolicyRule, path: Path, problems: Problems): void {
  const { verbs, apiGroups, resources, namespaces, clusterScope } = rule;
  validateVerbs(verbs ?? [], path, problems);
  required(problems, path, 'apiGroups', apiGroups, 'resource rules must supply at least one api group');
  validateStar(apiGroups ?? [], 'api groups', path, 'apiGroups', problems);
  required(problems, path, 'resources', resources, 'resource rules must supply at least one resource');
  validateStar(resources ?? [], 'resources', path, 'resources', problems);
  if (!namespaces?.length) {
    const rule = 'resource rules that are not cluster scoped must supply at least one namespace';
    if (!clusterScope) problems.required(path.child('namespaces'), rule);
  } else if (!validateStar(namespaces, 'namespaces', path, 'namespaces', problems)) {
    namespaces.forEach((namespace, at) => {
      const problem = dns1123Label(namespace);
      if (problem === undefined) return;
      const rule = `each member of this list must be '*' or a DNS-1123 label; ${problem}`;
      problems.invalid(path.child('namespaces').index(at), namespace, rule);
    });
  }
}

function validatePathRule({ verbs, nonResourceURLs }: NonResourcePolicyRule, path: Path, problems: Problems): void {
  validateVerbs(verbs ?? [], path, problems);
  const urls = nonResourceURLs ?? [];
  required(problems, path, 'nonResourceURLs', urls, 'nonResourceURLs must contain at least one value');
  if (validateStar(urls, 'non-resource URLs', path, 'nonResourceURLs', problems)) return;
  urls.forEach((url, at) => {
    const problem = urlPath(url);
    if (problem !== undefined) problems.invalid(path.child('nonResourceURLs').index(at), url, problem);
  });
}

/** A path, or all below one. */
function urlPath(url: string): string | undefined {
  if (url === '/') return undefined;
  if (url === '') return 'must not be empty';
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const star = url.indexOf('*');
  return star >= 0 && !(star === url.length - 1 && url.endsWith('/*'))
    ? 'wildcard can only do suffix matching'
    : undefined;
}

/** Conditions of schemas and levels: each has a type of its own. */
export function validateFlowConditions(conditions: readonly { readonly type?: string }[], problems: Problems): void {
  const types = conditions.map(({ type }) => type);
  distinct(problems, CONDITIONS, 'type', types);
  conditions.forEach(({ type }, at) => {
    required(problems, CONDITIONS.index(at), 'type', type, 'must not be empty');
  });
}

export function validateFlowSchemaStatusUpdate({ status }: FlowSchema, _old: FlowSchema, problems: Problems): void {
  validateFlowConditions(status.conditions ?? [], problems);
}
