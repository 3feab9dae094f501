import { RememberedAnswers } from '../outbound/remembered-answers.ts';
import type { Json, ReviewService } from '../outbound/review-service.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { ABSTAIN, NO_RULES } from './always.ts';
import type { Attributes, Authorizer, Decision, RuleSummary } from './attributes.ts';
import type { MatchConditions } from './configuration/match-conditions.ts';

export interface WebhookAuthorizerOptions {
  /** Where there may be several. */
  readonly name?: string;
  readonly service: ReviewService;
  /** API group of the reviews. */
  readonly group: string;
  readonly version: 'v1' | 'v1beta1';
  /** How long it is remembered that something is allowed, and that it is not. */
  readonly allowedMs: number;
  readonly otherMs: number;
  readonly runtime: Runtime;
  readonly onError: (error: unknown) => void;
  /** Asked only about what fulfils these; about everything when absent. */
  readonly conditions?: MatchConditions;
  /** What counts while there is no answer; no opinion unless given. */
  readonly onFailure?: 'abstain' | 'deny';
}

/** Answers to longer questions are not kept: whoever asks chooses how long they are. */
const LONGEST_KEPT = 10_000;

const UNKNOWN_RULES: RuleSummary = Object.freeze({
  ...NO_RULES,
  incomplete: true,
  problem: 'webhook authorizer does not support user rule resolution',
});

/** Leaves the decision to a remote service. While that cannot be asked it has a problem, and no opinion unless told to deny. */
export class WebhookAuthorizer implements Authorizer {
  readonly mode: string;
  readonly #options: WebhookAuthorizerOptions;
  readonly #decisions: RememberedAnswers<Decision>;

  constructor(options: WebhookAuthorizerOptions) {
    const { allowedMs, otherMs, runtime } = options;
    this.#options = options;
    this.mode = options.name === undefined ? 'Webhook' : `Webhook ${options.name}`;
    const isYes = ({ decision }: Decision): boolean => decision === 'allow';
    this.#decisions = new RememberedAnswers({
      name: 'authorization-webhook',
      isYes,
      yesMs: allowedMs,
      noMs: otherMs,
      runtime,
    });
  }

  authorize(wanted: Attributes): Decision | Promise<Decision> {
    const match = this.#options.conditions?.match(wanted);
    if (match && 'problem' in match) return this.#fail(new Error(`a match condition has no answer: ${match.problem}`));
    if (match && !match.matches) return ABSTAIN;
    const spec = specOf(wanted, this.#options.version);
    const ask = (): Promise<Decision> => this.#ask(spec);
    const decision = isLong(wanted) ? ask() : this.#decisions.answerTo(JSON.stringify(spec), ask);
    return decision instanceof Promise ? decision.catch((error) => this.#fail(error)) : decision;
  }

  rulesFor(): RuleSummary {
    return UNKNOWN_RULES;
  }

  async #ask(spec: object): Promise<Decision> {
    const { service, group, version } = this.#options;
    return decisionIn(await service.statusOf({ apiVersion: `${group}/${version}`, kind: 'SubjectAccessReview', spec }));
  }

  #fail(error: unknown): Decision {
    this.#options.onError(error);
    const problem = error instanceof Error ? error.message : 'the authorization webhook could not be asked';
    return { decision: this.#options.onFailure ?? 'abstain', reason: '', problem };
  }
}

/** The question as the service reads it. The older version has another word for the groups. */
function specOf(wanted: Attributes, version: 'v1' | 'v1beta1'): object {
  const { user, verb, resourceRequest, path, namespace, group, resource, subresource, name } = wanted;
  const given = (fields: Readonly<Record<string, string>>): object =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
  return {
    ...(resourceRequest
      ? {
          resourceAttributes: given({
            namespace,
            verb,
            group,
            version: wanted.version,
            resource,
            subresource,
            name,
          }),
        }
      : { nonResourceAttributes: given({ path, verb }) }),
    user: user.name,
    ...(user.groups.length > 0 ? { [version === 'v1' ? 'groups' : 'group']: user.groups } : {}),
    ...(user.extra.size > 0 ? { extra: Object.fromEntries(user.extra) } : {}),
    ...(user.uid === '' ? {} : { uid: user.uid }),
  };
}

const isLong = ({ verb, path, namespace, group, version, resource, subresource, name }: Attributes): boolean =>
  [verb, path, namespace, group, version, resource, subresource, name].join('').length >= LONGEST_KEPT;

function decisionIn({ allowed, denied, reason: given }: Json): Decision {
  const reason = typeof given === 'string' ? given : '';
  if (denied === true && allowed === true) {
    const problem = 'webhook subject access review returned both allow and deny response';
    return { decision: 'deny', reason, problem };
  }
  if (denied === true) return { decision: 'deny', reason };
  return { decision: allowed === true ? 'allow' : 'abstain', reason };
}
