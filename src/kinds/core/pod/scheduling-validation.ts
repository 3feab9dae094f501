import { eachFormatted, formatted, formattedIfSet, oneOf, positive, required } from '../../../meta/field-rules.ts';
import { dns1123Label, dns1123Subdomain, labelValue, qualifiedName } from '../../../meta/formats.ts';
import type { LabelSelector } from '../../../meta/label-selector.ts';
import { validateLabelSelector } from '../../../meta/label-selector-validation.ts';
import type { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '../node/node-selector.ts';
import type { Toleration } from '../node/taint.ts';
import type { TopologySpreadConstraint } from '../topology.ts';
import type {
  Affinity,
  NodeAffinity,
  PodAffinity,
  PodAffinityTerm,
  PodAntiAffinity,
  PreferredSchedulingTerm,
} from './affinity.ts';

/** Where pods may run: selection of nodes, affinity, tolerations, spreading. */

const NO_OPERATOR = 'not a valid selector operator';

/** At least one term, each well formed. */
export function validateNodeSelector({ nodeSelectorTerms }: NodeSelector, path: Path, problems: Problems): void {
  const terms = path.child('nodeSelectorTerms');
  if (!nodeSelectorTerms?.length) {
    problems.required(terms, 'must have at least one node selector term');
    return;
  }
  nodeSelectorTerms.forEach((term, at) => {
    validateNodeSelectorTerm(term, terms.index(at), problems);
  });
}

function validateNodeSelectorTerm(term: NodeSelectorTerm, path: Path, problems: Problems): void {
  term.matchExpressions?.forEach((requirement, at) => {
    validateNodeLabels(requirement, path.child('matchExpressions').index(at), problems);
  });
  term.matchFields?.forEach((requirement, at) => {
    validateNodeFields(requirement, path.child('matchFields').index(at), problems);
  });
}

function validateNodeLabels(requirement: NodeSelectorRequirement, path: Path, problems: Problems): void {
  const { key, operator } = requirement;
  const count = requirement.values?.length ?? 0;
  const values = path.child('values');
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (count === 0) problems.required(values, "must be specified when `operator` is 'In' or 'NotIn'");
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (count > 0) problems.forbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      break;
    case 'Gt':
    case 'Lt':
      if (count !== 1) problems.required(values, "must be specified single value when `operator` is 'Lt' or 'Gt'");
      break;
    default:
      problems.invalid(path.child('operator'), operator, NO_OPERATOR);
  }
  formatted(problems, path, 'key', key, qualifiedName);
}

/** The only field of nodes that can be selected is their name. */
function validateNodeFields({ key, operator, values }: NodeSelectorRequirement, path: Path, problems: Problems): void {
  if (operator !== 'In' && operator !== 'NotIn') problems.invalid(path.child('operator'), operator, NO_OPERATOR);
  else if (values?.length !== 1) {
    problems.required(
      path.child('values'),
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
    );
  }
  if (key === 'metadata.name') eachFormatted(problems, path, 'values', values, dns1123Subdomain);
  else problems.invalid(path.child('key'), key, 'not a valid field selector key');
}

export function validateAffinity(affinity: Affinity, path: Path, problems: Problems): void {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  if (nodeAffinity) validateNodeAffinity(nodeAffinity, path.child('nodeAffinity'), problems);
  if (podAffinity) validatePodAffinity(podAffinity, path.child('podAffinity'), problems);
  if (podAntiAffinity) validatePodAffinity(podAntiAffinity, path.child('podAntiAffinity'), problems);
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

function validateNodeAffinity(affinity: NodeAffinity, path: Path, problems: Problems): void {
  const needed = affinity[REQUIRED];
  if (needed) validateNodeSelector(needed, path.child(REQUIRED), problems);
  affinity[PREFERRED]?.forEach((term, at) => {
    validatePreferredNodes(term, path.child(PREFERRED).index(at), problems);
  });
}

function validatePreferredNodes({ weight, preference }: PreferredSchedulingTerm, path: Path, problems: Problems): void {
  validateWeight(weight, path, problems);
  validateNodeSelectorTerm(preference, path.child('preference'), problems);
}

function validateWeight(weight: number, path: Path, problems: Problems): void {
  if (weight < 1 || weight > 100) problems.invalid(path.child('weight'), weight, 'must be in the range 1-100');
}

function validatePodAffinity(affinity: PodAffinity | PodAntiAffinity, path: Path, problems: Problems): void {
  affinity[REQUIRED]?.forEach((term, at) => {
    validatePodAffinityTerm(term, path.child(REQUIRED).index(at), problems);
  });
  affinity[PREFERRED]?.forEach(({ weight, podAffinityTerm }, at) => {
    const term = path.child(PREFERRED).index(at);
    validateWeight(weight, term, problems);
    validatePodAffinityTerm(podAffinityTerm, term.child('podAffinityTerm'), problems);
  });
}

function validatePodAffinityTerm(term: PodAffinityTerm, path: Path, problems: Problems): void {
  validateLabelSelector(term.labelSelector, path.child('labelSelector'), problems);
  validateLabelSelector(term.namespaceSelector, path.child('namespaceSelector'), problems);
  for (const name of term.namespaces ?? []) formatted(problems, path, 'namespace', name, dns1123Label);
  required(problems, path, 'topologyKey', term.topologyKey, 'can not be empty');
  formatted(problems, path, 'topologyKey', term.topologyKey, qualifiedName);
}

/** What taints a pod puts up with. Problems of a value are noted at the operator, as clients know them. */
export function validateTolerations(tolerations: readonly Toleration[], path: Path, problems: Problems): void {
  tolerations.forEach((toleration, at) => {
    validateToleration(toleration, path.index(at), problems);
  });
}

function validateToleration(toleration: Toleration, path: Path, problems: Problems): void {
  const { key, operator = '', value = '', effect = '', tolerationSeconds } = toleration;
  formattedIfSet(problems, path, 'key', key, qualifiedName);
  if (!key && operator !== 'Exists') {
    problems.invalid(
      path.child('operator'),
      operator,
      'operator must be Exists when `key` is empty, which means "match all values and all keys"',
    );
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    problems.invalid(path.child('effect'), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
  }
  if (operator === '' || operator === 'Equal') formatted(problems, path, 'operator', value, labelValue);
  else if (operator === 'Exists' && value !== '') {
    problems.invalid(path.child('operator'), toleration, "value must be empty when `operator` is 'Exists'");
  }
}

const INCLUSION_POLICIES = ['Honor', 'Ignore'];

/** How evenly pods spread. One constraint for each pair of topology key and consequence. */
export function validateTopologySpread(
  constraints: readonly TopologySpreadConstraint[],
  path: Path,
  problems: Problems,
): void {
  const pairOf = ({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint): string =>
    `{${topologyKey}, ${whenUnsatisfiable}}`;
  const last = new Map(constraints.map((constraint, at) => [pairOf(constraint), at]));
  constraints.forEach((constraint, at) => {
    validateTopologySpreadConstraint(constraint, path.index(at), problems);
    // The last of a pair is not noted, but all before it.
    if (last.get(pairOf(constraint)) !== at) {
      const pair = path.index(at).child('{topologyKey, whenUnsatisfiable}');
      problems.duplicate(pair, pairOf(constraint));
    }
  });
}

function validateTopologySpreadConstraint(constraint: TopologySpreadConstraint, path: Path, problems: Problems): void {
  const { maxSkew, topologyKey, whenUnsatisfiable, minDomains, labelSelector, matchLabelKeys } = constraint;
  positive(problems, path, 'maxSkew', maxSkew);
  required(problems, path, 'topologyKey', topologyKey, 'can not be empty');
  // Other wrong values are refused where the field is declared.
  if (!whenUnsatisfiable) {
    problems.notSupported(path.child('whenUnsatisfiable'), whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway']);
  }
  positive(problems, path, 'minDomains', minDomains);
  if (minDomains !== undefined && whenUnsatisfiable !== 'DoNotSchedule') {
    const rule = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
    problems.invalid(path.child('minDomains'), minDomains, rule);
  }
  oneOf(problems, path, 'nodeAffinityPolicy', constraint.nodeAffinityPolicy, INCLUSION_POLICIES);
  oneOf(problems, path, 'nodeTaintsPolicy', constraint.nodeTaintsPolicy, INCLUSION_POLICIES);
  if (matchLabelKeys) validateMatchLabelKeys(matchLabelKeys, labelSelector, path.child('matchLabelKeys'), problems);
}

function validateMatchLabelKeys(
  keys: readonly string[],
  selector: LabelSelector | undefined,
  path: Path,
  problems: Problems,
): void {
  const selected = new Set([
    ...Object.keys(selector?.matchLabels ?? {}),
    ...(selector?.matchExpressions ?? []).map(({ key }) => key),
  ]);
  keys.forEach((key, at) => {
    const problem = qualifiedName(key);
    if (problem !== undefined) problems.invalid(path.index(at), key, problem);
    if (selected.has(key)) {
      problems.invalid(path.index(at), key, 'exists in both matchLabelKeys and labelSelector');
    }
  });
}
