import { distinct, named, oneOf, required } from '../../../meta/field-rules.ts';
import { dns1035Label, dns1123Subdomain, pathSegment, qualifiedName } from '../../../meta/formats.ts';
import { validateLabelSelector } from '../../../meta/label-selector-validation.ts';
import type { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { LONGEST_EXPRESSION } from '../../apiextensions/rule-fields.ts';
import { validateRule } from '../rule-validation.ts';
import type { MatchCondition, ParamKind, Variable } from './expressions.ts';
import type { MatchResources, NamedRuleWithOperations } from './match-resources.ts';
import type { ParamRef } from './param-ref.ts';

/** Rules about fields that policies of all sorts, their bindings, and webhooks have. */

const FAILURE_POLICIES = ['Fail', 'Ignore'];
const MATCH_POLICIES = ['Equivalent', 'Exact'];
const NOT_FOUND_ACTIONS = ['Allow', 'Deny'];
const MOST_CONDITIONS = 64;
/** Of variables, validations and mutations: each is compiled, and kept so. */
export const MOST_EXPRESSIONS = 256;
/** Of all expressions of a policy together: what is compiled of them takes a hundred times as much memory. */
const MOST_TEXT = 32 * 1024;

export function validateFailurePolicy(policy: string | undefined, path: Path, problems: Problems): void {
  oneOf(problems, path, 'failurePolicy', policy, FAILURE_POLICIES);
}

/** There, and not too long to be compiled. */
export function validateExpression(
  problems: Problems,
  path: Path,
  field: string,
  expression: string | undefined,
  missing = `${field} is not specified`,
): void {
  if (!expression?.trim()) problems.required(path.child(field), missing);
  else if (expression.length > LONGEST_EXPRESSION) problems.tooLong(path.child(field), LONGEST_EXPRESSION);
}

/** All expressions of a policy together. */
export function validateTotalLength(
  expressions: readonly (string | undefined)[],
  path: Path,
  problems: Problems,
): void {
  const total = expressions.reduce((sum, expression) => sum + (expression?.length ?? 0), 0);
  if (total > MOST_TEXT) problems.forbidden(path, `expressions must have at most ${MOST_TEXT} characters together`);
}

export function validateAtMost(
  items: readonly unknown[] | undefined,
  most: number,
  path: Path,
  problems: Problems,
): void {
  if (items && items.length > most) problems.tooMany(path, items.length, most);
}

export function validateParamKind(kind: ParamKind | undefined, path: Path, problems: Problems): void {
  if (!kind) return;
  if (required(problems, path, 'apiVersion', kind.apiVersion)) {
    const parts = (kind.apiVersion ?? '').split('/', 3);
    if (parts.length > 2 || dns1035Label(parts.at(-1) ?? '') !== undefined) {
      problems.invalid(path.child('apiVersion'), kind.apiVersion, 'must be a group and a version, or a version');
    }
  }
  if (!required(problems, path, 'kind', kind.kind)) return;
  const problem = dns1035Label((kind.kind ?? '').toLowerCase());
  if (problem === undefined) return;
  problems.invalid(path.child('kind'), kind.kind, `may have mixed case, but should otherwise match: ${problem}`);
}

export function validateMatchConditions(
  conditions: readonly MatchCondition[] | undefined,
  path: Path,
  problems: Problems,
): void {
  if (!conditions) return;
  validateAtMost(conditions, MOST_CONDITIONS, path, problems);
  const names = conditions.map(({ name }) => name);
  distinct(problems, path, 'name', names);
  conditions.forEach(({ name, expression }, at) => {
    named(problems, path.index(at), 'name', name, qualifiedName);
    validateExpression(problems, path.index(at), 'expression', expression, '');
  });
}

const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const LONGEST_IDENTIFIER = 253;

const identifier = (name: string): string | undefined =>
  IDENTIFIER.test(name) && !RESERVED.has(name) && name.length <= LONGEST_IDENTIFIER
    ? undefined
    : 'name is not a valid CEL identifier';

export function validateVariables(variables: readonly Variable[] | undefined, path: Path, problems: Problems): void {
  if (!variables) return;
  validateAtMost(variables, MOST_EXPRESSIONS, path, problems);
  const names = variables.map(({ name }) => name);
  distinct(problems, path, 'name', names);
  variables.forEach(({ name, expression }, at) => {
    if (!name) problems.required(path.index(at).child('name'), 'name is not specified');
    else named(problems, path.index(at), 'name', name, identifier);
    validateExpression(problems, path.index(at), 'expression', expression);
  });
}

/** What a policy is about: it has to say so. */
export function validateMatchConstraints(match: MatchResources | undefined, path: Path, problems: Problems): void {
  const own = path.child('matchConstraints');
  if (!match) {
    problems.required(own);
    return;
  }
  validateMatchResources(match, own, problems);
  required(problems, own, 'resourceRules', match.resourceRules);
}

export function validateMatchResources(match: MatchResources | undefined, path: Path, problems: Problems): void {
  if (!match) return;
  oneOf(problems, path, 'matchPolicy', match.matchPolicy, MATCH_POLICIES);
  validateLabelSelector(match.namespaceSelector, path.child('namespaceSelector'), problems);
  validateLabelSelector(match.objectSelector, path.child('objectSelector'), problems);
  validateRules(match.resourceRules, path.child('resourceRules'), problems);
  validateRules(match.excludeResourceRules, path.child('excludeResourceRules'), problems);
}

function validateRules(rules: readonly NamedRuleWithOperations[] | undefined, path: Path, problems: Problems): void {
  validateAtMost(rules, MOST_EXPRESSIONS, path, problems);
  rules?.forEach((rule, at) => {
    const own = path.index(at);
    validateRule(rule, own, problems);
    const names = own.child('resourceNames');
    distinct(problems, names, '', rule.resourceNames ?? []);
    rule.resourceNames?.forEach((name, nameAt) => {
      const problem = pathSegment(name);
      if (problem !== undefined) problems.invalid(names.index(nameAt), name, problem);
    });
  });
}

export function validatePolicyName(policyName: string | undefined, path: Path, problems: Problems): void {
  named(problems, path, 'policyName', policyName, dns1123Subdomain);
}

/** By name or by labels, one of both. */
export function validateParamRef(ref: ParamRef | undefined, path: Path, problems: Problems): void {
  if (!ref) return;
  const { name, selector, parameterNotFoundAction } = ref;
  if (name && selector) {
    problems.forbidden(path.child('name'), 'name and selector are mutually exclusive');
    problems.forbidden(path.child('selector'), 'name and selector are mutually exclusive');
  }
  if (!name && !selector) problems.required(path, 'one of name or selector must be specified');
  const problem = name ? pathSegment(name) : undefined;
  if (problem !== undefined) problems.invalid(path.child('name'), name, problem);
  validateLabelSelector(selector, path.child('selector'), problems);
  if (!parameterNotFoundAction) problems.required(path.child('parameterNotFoundAction'));
  else oneOf(problems, path, 'parameterNotFoundAction', parameterNotFoundAction, NOT_FOUND_ACTIONS);
}
