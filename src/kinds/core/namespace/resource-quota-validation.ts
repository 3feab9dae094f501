import { IMMUTABLE } from '../../../meta/field-rules.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import {
  type Amounts,
  isStandardQuotaResource,
  validateAmount,
  validateQuotaResourceName,
} from '../resource-validation.ts';
import type { ResourceQuota, ResourceQuotaSpec, ScopedResourceSelectorRequirement } from './resource-quota.ts';

const SPEC = Path.of('spec');
const SCOPES = SPEC.child('scopes');
const SELECTOR = SPEC.child('scopeSelector').child('matchExpressions');
const STATUS = Path.of('status');

export function validateResourceQuota({ spec }: ResourceQuota, problems: Problems, context: HookContext): void {
  validateAmounts(spec.hard, SPEC.child('hard'), problems, context);
  const misfits = misfitsOf(spec);
  validateScopes(spec, misfits, problems);
  spec.scopeSelector?.matchExpressions?.forEach((requirement) => {
    validateRequirement(requirement, spec, misfits, problems);
  });
  const selected = spec.scopeSelector?.matchExpressions?.map(({ scopeName }) => scopeName) ?? [];
  if (hasContradiction(selected)) problems.invalid(SELECTOR, selected, 'conflicting scopes');
}

function validateAmounts(amounts: Amounts | undefined, path: Path, problems: Problems, context: HookContext): void {
  for (const [name, amount] of Object.entries(amounts ?? {})) {
    validateQuotaResourceName(name, path.key(name), problems);
    validateAmount(name, amount, path.key(name), problems, context.vocabulary);
  }
}

const KNOWN_SCOPES = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
];

const POD_RESOURCES = ['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];

/** Scopes are about pods, and those of best effort have no amounts to count. */
function fits(scope: string, resource: string): boolean {
  return scope === 'BestEffort' ? resource === 'pods' : POD_RESOURCES.includes(resource);
}

/** The scopes that some limit of the quota is not about. */
const misfitsOf = ({ hard }: ResourceQuotaSpec): ReadonlySet<string> => {
  const resources = Object.keys(hard ?? {}).filter(isStandardQuotaResource);
  return new Set(KNOWN_SCOPES.filter((scope) => resources.some((resource) => !fits(scope, resource))));
};

const hasContradiction = (scopes: readonly string[]): boolean =>
  (scopes.includes('BestEffort') && scopes.includes('NotBestEffort')) ||
  (scopes.includes('Terminating') && scopes.includes('NotTerminating'));

function validateScopes({ scopes = [] }: ResourceQuotaSpec, misfits: ReadonlySet<string>, problems: Problems): void {
  for (const scope of scopes) {
    if (!KNOWN_SCOPES.includes(scope)) problems.invalid(SCOPES, scopes, 'unsupported scope');
    if (misfits.has(scope)) problems.invalid(SCOPES, scopes, 'unsupported scope applied to resource');
  }
  if (hasContradiction(scopes)) problems.invalid(SCOPES, scopes, 'conflicting scopes');
}

/** Problems are noted without an index: that is how clients know them. */
function validateRequirement(
  { scopeName, operator, values = [] }: ScopedResourceSelectorRequirement,
  spec: ResourceQuotaSpec,
  misfits: ReadonlySet<string>,
  problems: Problems,
): void {
  if (!KNOWN_SCOPES.includes(scopeName)) problems.invalid(SELECTOR.child('scopeName'), scopeName, 'unsupported scope');
  if (misfits.has(scopeName)) {
    problems.invalid(SELECTOR, spec.scopeSelector, 'unsupported scope applied to resource');
  }
  if (KNOWN_SCOPES.includes(scopeName) && scopeName !== 'PriorityClass' && operator !== 'Exists') {
    problems.invalid(SELECTOR.child('operator'), operator, `must be 'Exists' when the scope is ${scopeName}`);
  }
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      const rule = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      problems.required(SELECTOR.child('values'), rule);
    }
  } else if (operator !== 'Exists' && operator !== 'DoesNotExist') {
    problems.invalid(SELECTOR.child('operator'), operator, 'not a valid selector operator');
  } else if (values.length > 0) {
    const rule = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    problems.invalid(SELECTOR.child('values'), values, rule);
  }
}

export function validateResourceQuotaUpdate({ spec }: ResourceQuota, old: ResourceQuota, problems: Problems): void {
  const now = new Set(spec.scopes);
  const before = new Set(old.spec.scopes);
  if (now.size === before.size && [...now].every((scope) => before.has(scope))) return;
  problems.invalid(SCOPES, spec.scopes ?? [], IMMUTABLE);
}

export function validateResourceQuotaStatusUpdate(
  { status }: ResourceQuota,
  _old: ResourceQuota,
  problems: Problems,
  context: HookContext,
): void {
  validateAmounts(status.hard, STATUS.child('hard'), problems, context);
  validateAmounts(status.used, STATUS.child('used'), problems, context);
}
