import { MASTERS_GROUP } from '../api/user.ts';
import type { Authorizer, Decision, RuleSummary, Wanted } from './attributes.ts';
import { EVERYONE, grantToGroup, noGrants, plainGrant } from './grants.ts';

export const ALLOW: Decision = Object.freeze({ decision: 'allow', reason: '' });
const DENY: Decision = Object.freeze({ decision: 'deny', reason: 'everything is forbidden' });

/** The answer of a mode that has nothing to say. */
export const ABSTAIN: Decision = Object.freeze({ decision: 'abstain', reason: '' });

/** Of someone who, as far as a mode knows, may do nothing. */
export const NO_RULES: RuleSummary = Object.freeze({
  resourceRules: [],
  nonResourceRules: [],
  incomplete: false,
  problem: '',
});

const ALL_RULES: RuleSummary = Object.freeze({
  ...NO_RULES,
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
});

export const alwaysAllow: Authorizer = {
  mode: 'AlwaysAllow',
  authorize: () => ALLOW,
  rulesFor: () => ALL_RULES,
  *grants() {
    yield plainGrant(EVERYONE);
  },
};

export const alwaysDeny: Authorizer = {
  mode: 'AlwaysDeny',
  authorize: () => DENY,
  rulesFor: () => NO_RULES,
  grants: noGrants,
};

/** Lets the privileged group do everything, so that no policy can lock its members out. */
export const allowMasters: Authorizer = {
  mode: 'PrivilegedGroup',
  authorize: ({ user }) => (user.groups.includes(MASTERS_GROUP) ? ALLOW : ABSTAIN),
  rulesFor: ({ groups }) => (groups.includes(MASTERS_GROUP) ? ALL_RULES : NO_RULES),
  grants: (_wanted, user) => grantToGroup(MASTERS_GROUP, user),
};

const HEALTH_PATHS: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);

/** Lets anyone find out whether the server is alive and ready. */
export const allowHealthPaths: Authorizer = {
  mode: 'HealthPaths',
  authorize: (wanted) => (isHealthPath(wanted) ? ALLOW : ABSTAIN),
  rulesFor: () => NO_RULES,
  *grants(wanted) {
    if (isHealthPath(wanted)) yield plainGrant(EVERYONE);
  },
};

const isHealthPath = ({ resourceRequest, path }: Wanted): boolean => !resourceRequest && HEALTH_PATHS.has(path);
