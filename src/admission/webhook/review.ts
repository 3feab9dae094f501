import { jsonInSteps } from '../../codec/json-writing.ts';
import { type AdmissionResponse, AdmissionReview } from '../../kinds/admission/v1/admission-review.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { Steps } from '../../runtime/pacing.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { describe } from '../matching/request-description.ts';
import type { ShownRequest } from '../matching/shown-request.ts';
import type { Invocation, Webhook } from './webhook.ts';

/** The versions of the question that the server speaks. */
const VERSIONS = ['v1', 'v1beta1'];

/** A question that is to be put to a webhook. */
export interface Question {
  readonly uid: string;
  /** Group and version of the review. */
  readonly apiVersion: string;
  readonly text: string;
}

export interface Asked {
  readonly invocation: Invocation;
  readonly request: AdmissionRequest;
  readonly shown: ShownRequest;
}

/** Throws an Error when the webhook understands no version that the server speaks. Objects may be large. */
export function* questionOf({ invocation, request, shown }: Asked, uid: string, v: Vocabulary): Steps<Question> {
  const version = reviewVersion(invocation.webhook);
  const apiVersion = `${v.groups.admission}/${version}`;
  const { dryRun, options, ...facts } = describe(request, invocation.as, shown.kind, v);
  const text = yield* jsonInSteps({
    kind: 'AdmissionReview',
    apiVersion,
    request: { uid, ...facts, object: shown.object ?? null, oldObject: shown.oldObject ?? null, dryRun, options },
  });
  return { uid, apiVersion, text };
}

function reviewVersion({ reviewVersions }: Webhook): string {
  const version = reviewVersions.find((one) => VERSIONS.includes(one));
  if (version !== undefined) return version;
  throw new Error(`webhook does not accept known AdmissionReview versions (${VERSIONS.join(', ')})`);
}

/** What a webhook decided. */
export type Verdict = Pick<AdmissionResponse, 'allowed' | 'status' | 'patch' | 'auditAnnotations' | 'warnings'>;

/**
 * Reads the answer to a question. Throws an Error of one line when it is no answer, or one to something else. `mutates`:
 * whether the webhook may want changes.
 */
export function verdictIn(answer: unknown, { uid, apiVersion }: Question, mutates: boolean): Verdict {
  const review = canonicalise(AdmissionReview, answer).value;
  const { response } = review;
  if (!response) throw new Error('webhook response was absent');
  const isStrict = apiVersion.endsWith('/v1');
  if (isStrict && response.uid !== uid) {
    throw new Error(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid)}`);
  }
  if (review.apiVersion !== apiVersion || review.kind !== 'AdmissionReview') {
    const got = `${review.apiVersion}, Kind=${review.kind}`;
    throw new Error(`expected webhook response of ${apiVersion}, Kind=AdmissionReview, got ${got}`);
  }
  if (isStrict) demandFittingPatch(response, mutates);
  const { patch, ...verdict } = response;
  return mutates && patch ? { ...verdict, patch } : verdict;
}

/** The older version knows no types of patches, and overlooks those of webhooks that may have none. */
function demandFittingPatch({ patch, patchType }: AdmissionResponse, mutates: boolean): void {
  if (!mutates) {
    if (patch) throw new Error('validating webhook may not return response.patch');
    if (patchType !== undefined) throw new Error('validating webhook may not return response.patchType');
    return;
  }
  if (patch && patchType === undefined) throw new Error('webhook returned response.patch but not response.patchType');
  if (!patch && patchType !== undefined) throw new Error('webhook returned response.patchType but not response.patch');
  if (patchType !== undefined && patchType !== 'JSONPatch') {
    throw new Error(`webhook returned invalid response.patchType of ${JSON.stringify(patchType)}`);
  }
}
