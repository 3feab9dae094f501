import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

/** From anything goes to best practice. */
export const LEVELS = ['privileged', 'baseline', 'restricted'] as const;
export type Level = (typeof LEVELS)[number];

/** The minor release whose rules are meant; `latest` those of the newest. */
export type PolicyVersion = number | 'latest';

/** What pods are held against. */
export interface Policy {
  readonly level: Level;
  readonly version: PolicyVersion;
}

export const MODES = ['enforce', 'audit', 'warn'] as const;
export type Mode = (typeof MODES)[number];

/** One policy a mode: what is refused, what is noted in the audit log, what the client is warned of. */
export type Policies = Readonly<Record<Mode, Policy>>;

/** A label or setting that cannot be read. */
export interface PolicyProblem {
  readonly key: string;
  readonly value: string;
  readonly message: string;
}

export const policyText = ({ level, version }: Policy): string =>
  `${level}:${version === 'latest' ? version : `v1.${version}`}`;

export const samePolicy = (a: Policy, b: Policy): boolean => a.level === b.level && a.version === b.version;

/** Most namespaces name no policy. */
export const asksNothing = (policies: Policies): boolean =>
  MODES.every((mode) => policies[mode].level === 'privileged');

export const isStricter = (a: Level, b: Level): boolean => LEVELS.indexOf(a) > LEVELS.indexOf(b);

export const readLevel = (text: string): Level | undefined => LEVELS.find((level) => level === text);

export function readVersion(text: string): PolicyVersion | undefined {
  if (text === 'latest') return text;
  const [, minor] = /^v1\.(0|[1-9]\d{0,3})$/.exec(text) ?? [];
  return minor === undefined ? undefined : Number(minor);
}

/** Where the labels of a namespace say what. */
export const policyLabels = ({ labels }: Vocabulary): Readonly<Record<Mode, { level: string; version: string }>> => ({
  enforce: { level: labels.podSecurityEnforce, version: labels.podSecurityEnforceVersion },
  audit: { level: labels.podSecurityAudit, version: labels.podSecurityAuditVersion },
  warn: { level: labels.podSecurityWarn, version: labels.podSecurityWarnVersion },
});

export const LEVEL_WANTED = `must be one of ${LEVELS.join(', ')}`;
export const VERSION_WANTED = 'must be "latest" or "v1.x"';

/**
 * What the labels of a namespace ask for, and which of them make no sense. A level that nobody knows is taken for the
 * strictest where it is enforced and for none where it is only told of.
 */
export function policiesOf(
  labels: Readonly<Record<string, string>> | undefined,
  keys: ReturnType<typeof policyLabels>,
  defaults: Policies,
): { policies: Policies; problems: PolicyProblem[] } {
  const problems: PolicyProblem[] = [];
  const read = <T>(key: string, parse: (text: string) => T | undefined, wanted: string, absent: T, wrong: T): T => {
    const value = labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
    if (value === undefined) return absent;
    const parsed = parse(value);
    if (parsed === undefined) problems.push({ key, value, message: wanted });
    return parsed ?? wrong;
  };
  const policy = (mode: Mode): Policy => ({
    level: read(
      keys[mode].level,
      readLevel,
      LEVEL_WANTED,
      defaults[mode].level,
      mode === 'enforce' ? 'restricted' : 'privileged',
    ),
    version: read<PolicyVersion>(keys[mode].version, readVersion, VERSION_WANTED, defaults[mode].version, 'latest'),
  });
  return { policies: { enforce: policy('enforce'), audit: policy('audit'), warn: policy('warn') }, problems };
}
