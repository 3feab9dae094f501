import type { AnyObject } from '../../../client/plane-client.ts';
import { sameJson } from '../../../schema/same-json.ts';
import { uncovered } from './coverage.ts';
import type { Rule } from './rules.ts';

interface RoleSubject {
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}

/** A role, or a binding to one. */
export interface AccessObject extends AnyObject {
  readonly rules?: readonly Rule[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly RoleSubject[];
}

/** What has to be done so that an object allows what it should, and what of it is told. */
export interface Reconciliation {
  readonly operation: 'none' | 'create' | 'update' | 'recreate';
  /** The object as it is to be. */
  readonly result: AccessObject;
  /** The object says that it is not to be reconciled. */
  readonly isProtected: boolean;
  readonly missingRules: readonly string[];
  readonly extraRules: readonly string[];
  readonly missingSubjects: readonly string[];
  readonly extraSubjects: readonly string[];
}

export interface Removals {
  readonly removeExtraPermissions: boolean;
  readonly removeExtraSubjects: boolean;
}

const NOTHING = { missingRules: [], extraRules: [], missingSubjects: [], extraSubjects: [] };

/** `optOut` is the annotation that keeps an object as it is. */
export function planReconciliation(
  wanted: AccessObject,
  found: AccessObject | undefined,
  removals: Removals,
  optOut: string,
): Reconciliation {
  if (!found) {
    const missingRules = (wanted.rules ?? []).map(ruleText);
    const missingSubjects = (wanted.subjects ?? []).map(subjectText);
    return { ...NOTHING, operation: 'create', result: wanted, isProtected: false, missingRules, missingSubjects };
  }
  const isProtected = found.metadata.annotations?.[optOut] === 'false';
  const metadata = {
    ...found.metadata,
    ...(wanted.metadata.labels ? { labels: { ...wanted.metadata.labels, ...found.metadata.labels } } : {}),
    ...(wanted.metadata.annotations
      ? { annotations: { ...wanted.metadata.annotations, ...found.metadata.annotations } }
      : {}),
  };
  const base = { ...found, metadata } as AccessObject;
  const plan = found.roleRef ? planBinding(wanted, base, removals) : planRole(wanted, base, removals);
  const isSame = plan.operation === 'update' && sameJson(plan.result, found);
  return { ...plan, operation: isSame ? 'none' : plan.operation, isProtected };
}

type Plan = Omit<Reconciliation, 'isProtected'>;

function planRole(wanted: AccessObject, base: AccessObject, { removeExtraPermissions }: Removals): Plan {
  const missing = uncovered(base.rules ?? [], wanted.rules ?? []);
  const extra = uncovered(wanted.rules ?? [], base.rules ?? []);
  const kept = removeExtraPermissions && extra.length > 0 ? (wanted.rules ?? []) : [...(base.rules ?? []), ...missing];
  return {
    ...NOTHING,
    operation: 'update',
    result: { ...base, rules: kept },
    missingRules: missing.map(ruleText),
    extraRules: extra.map(ruleText),
  };
}

function planBinding(wanted: AccessObject, base: AccessObject, { removeExtraSubjects }: Removals): Plan {
  if (!sameJson(wanted.roleRef, base.roleRef)) {
    const result = { ...wanted, metadata: base.metadata };
    return { ...NOTHING, operation: 'recreate', result };
  }
  const [ours, theirs] = [wanted.subjects ?? [], base.subjects ?? []];
  const missing = ours.filter((one) => !theirs.some((other) => subjectText(other) === subjectText(one)));
  const extra = theirs.filter((one) => !ours.some((other) => subjectText(other) === subjectText(one)));
  const subjects = removeExtraSubjects && extra.length > 0 ? ours : [...theirs, ...missing];
  return {
    ...NOTHING,
    operation: 'update',
    result: { ...base, subjects },
    missingSubjects: missing.map(subjectText),
    extraSubjects: extra.map(subjectText),
  };
}

const list = (items: readonly string[] | null | undefined): string => `[${(items ?? []).join(' ')}]`;

const ruleText = ({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: Rule): string =>
  `{Verbs:${list(verbs)} APIGroups:${list(apiGroups)} Resources:${list(resources)} ResourceNames:${list(resourceNames)} NonResourceURLs:${list(nonResourceURLs)}}`;

const subjectText = ({ kind, apiGroup = '', name, namespace = '' }: RoleSubject): string =>
  `{Kind:${kind} APIGroup:${apiGroup} Name:${name} Namespace:${namespace}}`;
