import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { type Check, type CheckedPod, unlessWindows, type Violation } from './check.ts';
import { appArmorProfile, defaultCapabilities, procMount, seLinuxOptions } from './confinement-checks.ts';
import { hostNamespaces, hostPathVolumes, hostPorts, privileged, sysctls, windowsHostProcess } from './host-checks.ts';
import type { Level, Policy } from './policy.ts';
import {
  allowPrivilegeEscalation,
  restrictedCapabilities,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
} from './restricted-checks.ts';
import { annotatedSeccomp, confinedSeccomp, demandedSeccomp } from './seccomp-checks.ts';

/** A check by the releases in which it came and changed. */
interface Row {
  readonly level: Exclude<Level, 'privileged'>;
  /** By minor release, the oldest first. */
  readonly since: readonly (readonly [minor: number, check: Check])[];
  /** A laxer check that need not be asked when this one is. */
  readonly replaces?: Check;
}

const baseline = (check: Check): Row => ({ level: 'baseline', since: [[0, check]] });

/** In the order in which violations are told. */
const ROWS: readonly Row[] = [
  baseline(appArmorProfile),
  baseline(defaultCapabilities),
  baseline(hostNamespaces),
  baseline(hostPathVolumes),
  baseline(hostPorts),
  baseline(privileged),
  baseline(procMount),
  baseline(seLinuxOptions),
  {
    level: 'baseline',
    since: [
      [0, annotatedSeccomp],
      [19, confinedSeccomp],
    ],
  },
  baseline(sysctls),
  baseline(windowsHostProcess),
  {
    level: 'restricted',
    since: [
      [8, allowPrivilegeEscalation],
      [25, unlessWindows(allowPrivilegeEscalation)],
    ],
  },
  {
    level: 'restricted',
    since: [
      [22, restrictedCapabilities],
      [25, unlessWindows(restrictedCapabilities)],
    ],
    replaces: defaultCapabilities,
  },
  { level: 'restricted', since: [[0, restrictedVolumes]], replaces: hostPathVolumes },
  { level: 'restricted', since: [[0, runAsNonRoot]] },
  { level: 'restricted', since: [[23, runAsUser]] },
  {
    level: 'restricted',
    since: [
      [19, demandedSeccomp],
      [25, unlessWindows(demandedSeccomp)],
    ],
    replaces: confinedSeccomp,
  },
];

/** Nothing has changed in later releases. */
const NEWEST = Math.max(...ROWS.flatMap(({ since }) => since.map(([minor]) => minor)));

const known = new Map<string, readonly Check[]>();

/** The checks of a policy, found out once. */
function checksOf({ level, version }: Policy): readonly Check[] {
  const minor = version === 'latest' ? NEWEST : Math.min(version, NEWEST);
  const key = `${level}:${minor}`;
  const existing = known.get(key);
  if (existing) return existing;
  const asked = ROWS.filter((row) => level === 'restricted' || row.level === level).flatMap(({ since, replaces }) => {
    const check = since.findLast(([from]) => from <= minor)?.[1];
    return check ? [{ check, replaces }] : [];
  });
  const replaced = new Set(asked.map(({ replaces }) => replaces));
  const checks = asked.map(({ check }) => check).filter((check) => !replaced.has(check));
  known.set(key, checks);
  return checks;
}

/** Everything a pod does that a policy forbids. */
export function violationsOf(policy: Policy, pod: CheckedPod, vocabulary: Vocabulary): Violation[] {
  if (policy.level === 'privileged') return [];
  return checksOf(policy).flatMap((check) => check(pod, vocabulary) ?? []);
}

export const violationsText = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ');
