import { eachFormatted, oneOf, required, seenBefore } from '../../meta/field-rules.ts';
import { dns1035Label } from '../../meta/formats.ts';
import type { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import { validateClientConfig } from '../admissionregistration/client-config-validation.ts';
import type { CustomResourceConversion, WebhookConversion } from './conversion.ts';

const STRATEGIES = ['None', 'Webhook'];
/** The versions of reviews that are sent. */
const REVIEW_VERSIONS = ['v1', 'v1beta1'];
const NOT_ASKED = 'should not be set when strategy is not set to Webhook';

/** How objects get from one version to another. What belongs to the webhook is told where older definitions had it. */
export function validateConversion(conversion: CustomResourceConversion, path: Path, problems: Problems): void {
  const { strategy, webhook } = conversion;
  if (required(problems, path, 'strategy', strategy)) oneOf(problems, path, 'strategy', strategy, STRATEGIES);
  if (strategy === 'Webhook') validateWebhook(webhook, path, problems);
  else if (webhook) {
    if (webhook.clientConfig) problems.forbidden(path.child('webhookClientConfig'), NOT_ASKED);
    if (webhook.conversionReviewVersions?.length) problems.forbidden(path.child('conversionReviewVersions'), NOT_ASKED);
  }
}

function validateWebhook(webhook: WebhookConversion | undefined, path: Path, problems: Problems): void {
  const { clientConfig, conversionReviewVersions } = webhook ?? {};
  const config = path.child('webhookClientConfig');
  if (clientConfig) validateClientConfig(clientConfig, config, problems);
  else problems.required(config, 'required when strategy is set to Webhook');
  const field = 'conversionReviewVersions';
  if (!required(problems, path, field, conversionReviewVersions)) return;
  const versions = conversionReviewVersions ?? [];
  eachFormatted(problems, path, field, versions, dns1035Label);
  const isRepeated = seenBefore();
  versions.forEach((version, at) => {
    if (isRepeated(version)) {
      problems.invalid(path.child(field).index(at), version, 'duplicate version');
    }
  });
  if (!versions.some((version) => REVIEW_VERSIONS.includes(version))) {
    problems.invalid(path.child(field), versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`);
  }
}
