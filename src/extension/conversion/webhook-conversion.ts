import { internalBecause } from '../../api/errors.ts';
import { jsonInSteps } from '../../codec/json-writing.ts';
import type { WebhookConversion } from '../../kinds/apiextensions/conversion.ts';
import { apiVersionOf } from '../../registry/incoming.ts';
import type { ApiObject, ResourceType } from '../../registry/resource-type.ts';
import type { BatchConversion } from '../../registry/version-converter.ts';
import { inSteps, restEveryTurn } from '../../runtime/pacing.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { BadConversion, convertedIn, REVIEW_VERSIONS, reviewOf } from './conversion-review.ts';

/** Where a webhook is: exactly one of `url` and `service`. */
export interface ConversionAddress {
  readonly url: string | undefined;
  readonly service:
    | { readonly namespace: string; readonly name: string; readonly path?: string; readonly port?: number }
    | undefined;
  /** PEM; undefined for the system's authorities. */
  readonly ca: string | undefined;
}

export interface WebhookParts {
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  /** Resolves with the answer, parsed. Rejects with an Error of one line when there is none in time, or no JSON. */
  post(address: ConversionAddress, text: string, timeoutMs: number): Promise<unknown>;
}

/** A webhook that has not answered by then has failed. Who waits for it may have less time. */
const TIMEOUT_MS = 30_000;

/** Has a webhook convert objects. Whatever it does wrong is an internal error that says what. */
export function webhookConversion(
  { clientConfig, conversionReviewVersions }: WebhookConversion,
  { runtime, vocabulary, post }: WebhookParts,
): BatchConversion['convert'] {
  const { url, service, caBundle = '' } = clientConfig ?? {};
  const ca = caBundle === '' ? undefined : Buffer.from(caBundle, 'base64').toString('utf8');
  const version = conversionReviewVersions?.find((name) => REVIEW_VERSIONS.includes(name)) ?? 'v1';
  const apiVersion = `${vocabulary.groups.apiextensions}/${version}`;
  return async (objects: readonly ApiObject[], from: ResourceType, to: ResourceType) => {
    const review = { apiVersion, uid: runtime.uuid() };
    const failed = (problem: string) =>
      internalBecause(`conversion webhook for ${apiVersionOf(from)}, Kind=${from.kind} ${problem}`);
    const text = await inSteps(jsonInSteps(reviewOf(review, objects, to)), restEveryTurn(runtime));
    const answer = await post({ url, service, ca }, text, TIMEOUT_MS).catch((error: unknown) => {
      throw failed(`failed: ${error instanceof Error ? error.message : String(error)}`);
    });
    try {
      return convertedIn(answer, review, objects, to);
    } catch (error) {
      throw error instanceof BadConversion ? failed(error.message) : error;
    }
  };
}
