import { MASTERS_GROUP } from '../api/user.ts';
import type { Authorizer, Decision, RuleSummary } from './attributes.ts';

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

export const alwaysAllow: Authorizer = { authorize: () => ALLOW, rulesFor: () => ALL_RULES };

export const alwaysDeny: Authorizer = { authorize: () => DENY, rulesFor: () => NO_RULES };

/** Lets the privileged group do everything, so that no policy can lock its members out. */
export const allowMasters: Authorizer = {
  authorize: ({ user }) => (user.groups.includes(MASTERS_GROUP) ? ALLOW : ABSTAIN),
  rulesFor: ({ groups }) => (groups.includes(MASTERS_GROUP) ? ALL_RULES : NO_RULES),
};

const HEALTH_PATHS: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);

/** Lets anyone find out whether the server is alive and ready. */
export const allowHealthPaths: Authorizer = {
  authorize: ({ resourceRequest, path }) => (!resourceRequest && HEALTH_PATHS.has(path) ? ALLOW : ABSTAIN),
  rulesFor: () => NO_RULES,
};
