import type { NamespaceCondition, NamespaceStatus } from '../../kinds/core/namespace/namespace.ts';
import type { NamespaceFindings } from './findings.ts';

/** What is known of one condition. */
type Finding = Pick<NamespaceCondition, 'type' | 'status' | 'reason' | 'message'>;

const isSo = (type: string, reason: string, message: string): Finding => ({ type, status: 'True', reason, message });
const isNotSo = (type: string, reason: string, message: string): Finding => ({
  ...isSo(type, reason, message),
  status: 'False',
});

/** What clients are told when nothing is in the way, in the order of conditions. Words and order are interface. */
const CLEAR = {
  discovery: isNotSo(
    'NamespaceDeletionDiscoveryFailure',
    'ResourcesDiscovered',
    'All resources successfully discovered',
  ),
  parsing: isNotSo(
    'NamespaceDeletionGroupVersionParsingFailure',
    'ParsedGroupVersions',
    'All legacy kube types successfully parsed',
  ),
  deletion: isNotSo(
    'NamespaceDeletionContentFailure',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ),
  content: isNotSo('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'),
  finalizers: isNotSo(
    'NamespaceFinalizersRemaining',
    'ContentHasNoFinalizers',
    'All content-preserving finalizers finished',
  ),
};

/** So many problems are told, each at this length; the rest is counted. */
const MOST_TOLD = 20;
const LONGEST_TOLD = 500;

/** Sorted, so that what says the same is the same. */
function inOneLine(texts: readonly string[]): string {
  const told = [...texts]
    .sort()
    .slice(0, MOST_TOLD)
    .map((text) => (text.length > LONGEST_TOLD ? `${text.slice(0, LONGEST_TOLD)}…` : text));
  return [...told, ...(texts.length > told.length ? [`and ${texts.length - told.length} more`] : [])].join(', ');
}

function findingsOf({ undiscovered, failures, remaining, finalizers }: NamespaceFindings): Finding[] {
  const groups = [...undiscovered].map(([version, why]) => `${version}: ${why}`);
  const kinds = [...remaining].map(([resource, count]) => `${resource} has ${count} resource instances`);
  const held = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
  const told = (texts: readonly string[], clear: Finding, reason: string, message: string): Finding =>
    texts.length === 0 ? clear : isSo(clear.type, reason, `${message}: ${inOneLine(texts)}`);
  return [
    told(
      groups,
      CLEAR.discovery,
      'DiscoveryFailed',
      `Discovery failed for some groups, ${groups.length} failing: unable to retrieve the complete list of server APIs`,
    ),
    CLEAR.parsing,
    told(
      failures,
      CLEAR.deletion,
      'ContentDeletionFailed',
      `Failed to delete all resource types, ${failures.length} remaining`,
    ),
    told(kinds, CLEAR.content, 'SomeResourcesRemain', 'Some resources are remaining'),
    told(held, CLEAR.finalizers, 'SomeFinalizersRemain', 'Some content in the namespace has finalizers remaining'),
  ];
}

/** The status that says how a deletion stands, or undefined when it says so already. `now`: as a field has it. */
export function withFindings(
  status: NamespaceStatus,
  findings: NamespaceFindings,
  now: string,
): NamespaceStatus | undefined {
  const before = new Map((status.conditions ?? []).map((condition) => [condition.type, condition]));
  const found = findingsOf(findings);
  const isSame = ({ type, status: value, reason, message }: Finding): boolean => {
    const known = before.get(type);
    return known?.status === value && known.reason === reason && known.message === message;
  };
  if (found.every(isSame)) return undefined;
  for (const finding of found) {
    const known = before.get(finding.type);
    const lastTransitionTime = known?.status === finding.status ? known.lastTransitionTime : now;
    before.set(finding.type, { ...finding, lastTransitionTime });
  }
  return { ...status, conditions: [...before.values()] };
}
