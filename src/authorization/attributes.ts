import type { UserInfo } from '../api/user.ts';
import type { GrantSteps } from './grants.ts';

/** What a request wants, in the terms policies are written in. */
export interface Attributes {
  readonly user: UserInfo;
  /** An API verb for resources, the lower-case HTTP method for other paths. */
  readonly verb: string;
  /** False: only `user`, `verb` and `path` count, and the fields below are ''. */
  readonly resourceRequest: boolean;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** '' for cluster-wide requests. A request for one Namespace object carries that object's name here. */
  readonly namespace: string;
  /** '' when the request names no object. A list or watch selecting one `metadata.name` carries that name. */
  readonly name: string;
  readonly path: string;
}

/** What a request wants, whoever sends it. */
export type Wanted = Omit<Attributes, 'user'>;

/** What one of several modes said of a request. */
export interface ModeAnswer {
  readonly mode: string;
  readonly decision: Decision['decision'];
  readonly reason: string;
  readonly problem?: string;
}

/** `abstain` leaves the question to the next mode. When all have abstained, the request is denied. */
export interface Decision {
  readonly decision: 'allow' | 'deny' | 'abstain';
  /** For people; '' when there is nothing to say. */
  readonly reason: string;
  /** What kept a mode from deciding as it should. Whoever is not allowed then hears of a failure, not of a refusal. */
  readonly problem?: string;
  /** Of several modes that did not allow: those that said something, in order. */
  readonly said?: readonly ModeAnswer[];
}

export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Empty: every name, and requests without one. */
  readonly resourceNames: readonly string[];
}

export interface PathRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** What a user may do in a namespace, cluster-wide rights included. */
export interface RuleSummary {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly PathRule[];
  /** The user may hold rights that are not listed. */
  readonly incomplete: boolean;
  /** What went wrong on the way; '' when nothing did. */
  readonly problem: string;
}

/** One authorization mode, or several put together. */
export interface Authorizer {
  /** Answers at once where it can: a promise costs every request a turn of the loop. */
  authorize(attributes: Attributes): Decision | Promise<Decision>;
  /** Absent where a mode cannot list the rights of a user. */
  rulesFor?(user: UserInfo, namespace: string): RuleSummary;
  /** The name of the mode, where it is one. */
  readonly mode?: string;
  /** Of several put together: which they are at this moment, in order. */
  parts?(): readonly Authorizer[];
  /**
   * Who is allowed something, and by what; with a user, only what lets that user in. In steps, because there may be very
   * many. Absent where a mode cannot list it.
   */
  grants?(wanted: Wanted, user?: UserInfo): GrantSteps;
}

/** The modes that an authorizer is put together of, in order. */
export const modesOf = (authorizer: Authorizer): readonly Authorizer[] =>
  authorizer.parts ? authorizer.parts().flatMap(modesOf) : [authorizer];

/** How rules and messages spell what is asked for: `pods`, or `pods/log`. */
export const combinedResource = ({ resource, subresource }: Wanted): string =>
  subresource === '' ? resource : `${resource}/${subresource}`;
