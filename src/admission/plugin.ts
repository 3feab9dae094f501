import type { AdmissionRequest, MutatingRequest, Operation } from '../registry/admission.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Rounds } from './rounds.ts';

/** Does something about a request. Throws an ApiError to refuse it. */
export type Act<R> = (request: R, rounds: Rounds) => void | Promise<void>;

/** Whether requests to this place can concern a rule, which must not change with time. `subresource`: '' for the object itself. */
export type Matches = (type: ResourceType, subresource: string) => boolean;

/** What is done about requests of some operations at some places. Made by the functions of `rule.ts`. */
export interface Rule<R> {
  readonly matches: Matches;
  readonly acts: Readonly<Partial<Record<Operation, Act<R>>>>;
}

/** It may change the object. It may be asked twice about a request, and must not do twice what is to be done once. */
export interface MutatingRule extends Rule<MutatingRequest> {
  readonly phase: 'mutate';
}

/** It is asked about the object as it will be stored, and may refuse it. */
export interface ValidatingRule extends Rule<AdmissionRequest> {
  readonly phase: 'validate';
}

/** One plugin: rules about the requests that concern it. In each phase the first that is about a request is asked, and no other. */
export interface AdmissionPlugin {
  readonly rules: readonly (MutatingRule | ValidatingRule)[];
  /** Lets go of what it holds; nothing is asked of it any more. */
  close?(): void;
}

/** A plugin under the name by which it is turned on and counted. */
export interface NamedPlugin {
  readonly name: string;
  readonly plugin: AdmissionPlugin;
}

const isMutating = (rule: MutatingRule | ValidatingRule): rule is MutatingRule => rule.phase === 'mutate';
const isValidating = (rule: MutatingRule | ValidatingRule): rule is ValidatingRule => rule.phase === 'validate';

export const mutatingRules = ({ rules }: AdmissionPlugin): readonly MutatingRule[] => rules.filter(isMutating);
export const validatingRules = ({ rules }: AdmissionPlugin): readonly ValidatingRule[] => rules.filter(isValidating);

/** What the first of the rules that is about requests to a place does about them; undefined: none is. */
export const actAmong = <R>(
  rules: readonly Rule<R>[],
  operation: Operation,
  type: ResourceType,
  subresource: string,
): Act<R> | undefined =>
  rules.find(({ acts, matches }) => acts[operation] && matches(type, subresource))?.acts[operation];
