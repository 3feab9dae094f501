import { ApiError, badRequest } from '../../api/errors.ts';
import type { UserInfo } from '../../api/user.ts';
import type { Authorizer } from '../../authorization/attributes.ts';
import { statusOf } from '../../codec/status.ts';
import type { Action } from '../../handlers/actions/action.ts';
import { asWanted } from '../../handlers/format.ts';
import { replyWithTyped } from '../../handlers/respond.ts';
import type { ExplainWrite, Service } from '../../handlers/service.ts';
import { discard } from '../../http/exchange.ts';
import { headerValue } from '../../http/headers.ts';
import { AdmissionExplanation, type AdmissionExplanationStatus } from '../../kinds/explain/admission-explanation.ts';
import type { RequestContext } from '../../request/context.ts';
import { restEveryTurn } from '../../runtime/pacing.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { demandAccess } from '../asked-object.ts';
import { CollectedSteps } from './collected-steps.ts';

const PLURAL = 'admissionexplanations';

/** Answers a dry run with all that admission did with it, in place of what it would have been answered. */
export const explainAdmission =
  (authorizer: Authorizer, group: string): ExplainWrite =>
  async (service, resource, handle) => {
    const { context, type, user } = resource;
    demandDryRun(context);
    await demandRight(service, authorizer, group, user);
    const accept = headerValue(context.request, 'accept');
    const format = asWanted(service.negotiator.choose(accept, 'plain', AdmissionExplanation), context);
    const steps = new CollectedSteps(service.runtime, type.sensitive ?? false);
    context.steps = steps;
    const outcome = await outcomeOf(() => handle(service, resource), steps);
    const apiVersion = `${group}/v1alpha1`;
    const status = { ...told(steps), ...outcome };
    const explanation = { kind: 'AdmissionExplanation', apiVersion, metadata: {}, status };
    const { value } = canonicalise(AdmissionExplanation, explanation);
    // The object is in canonical form, and may be as large as any document.
    const object = stored(steps, outcome.allowed, type.sensitive ?? false);
    const answer = { ...value, status: { ...value.status, ...object } };
    return replyWithTyped(200, AdmissionExplanation, answer, format, restEveryTurn(service.runtime));
  };

/** Explanations are the answers of other requests: what is posted here has none. */
export const admissionExplanations = (group: string): Action<AdmissionExplanation> => ({
  group,
  plural: PLURAL,
  subresource: '',
  accepts: [{ group, version: 'v1alpha1', kind: 'AdmissionExplanation', schema: AdmissionExplanation }],
  admission: false,
  run: () =>
    Promise.reject(badRequest('admission is explained to a write that is sent with dryRun=All and explain=admission')),
});

function demandDryRun({ info: { query, verb } }: RequestContext): void {
  const wanted = query.get('explain') ?? '';
  if (wanted !== 'admission') throw badRequest(`explain=${wanted.slice(0, 64)}: only admission can be explained`);
  if (verb === 'deletecollection') throw badRequest('explain=admission is for writes of one object');
  if (!query.getAll('dryRun').includes('All')) throw badRequest('explain=admission needs dryRun=All');
}

async function demandRight(service: Service, authorizer: Authorizer, group: string, user: UserInfo): Promise<void> {
  const type = service.catalogue.find(group, 'v1alpha1', PLURAL);
  if (!type) throw badRequest(`explain=admission needs ${PLURAL}.${group}, which is switched off`);
  await demandAccess(authorizer, user, 'create', { type, namespace: '', name: '' });
}

interface Outcome extends Pick<AdmissionExplanationStatus, 'allowed' | 'code' | 'refusedBy'> {
  readonly refusal?: object;
}

/** A refusal is part of the explanation, unless admission was never asked: then there is nothing to explain. */
async function outcomeOf(handle: () => ReturnType<ExplainWrite>, steps: CollectedSteps): Promise<Outcome> {
  try {
    const reply = await handle();
    discard(reply.body);
    return { allowed: true, code: reply.status };
  } catch (error) {
    if (!(error instanceof ApiError) || !steps.request) throw error;
    const refusedBy = steps.refusedBy ? nameOf(steps.refusedBy) : 'Validation';
    return { allowed: false, refusedBy, code: error.code, refusal: statusOf(error) };
  }
}

const nameOf = ({ type, name, within }: NonNullable<CollectedSteps['refusedBy']>): string =>
  within === '' ? `${type} ${name}` : `${type} ${name} of ${within}`;

const told = ({ steps, remaining, request }: CollectedSteps) => ({
  operation: request?.operation ?? '',
  steps: [...steps],
  ...(remaining > 0 ? { remainingSteps: remaining } : {}),
});

function stored({ finalObject }: CollectedSteps, allowed: boolean, hides: boolean): { object?: object } {
  return allowed && finalObject && !hides ? { object: finalObject } : {};
}
