import { ReviewService, readPlace } from '../outbound/review-service.ts';
import { readImagePolicy } from './image-policy-configuration.ts';
import { ImagePolicyWebhook } from './image-policy-webhook.ts';
import type { MakePlugin } from './plugin.ts';

/** Reads the configuration and the file it names. Rejects with an Error of one line. */
export async function readImagePolicyWebhook(given: unknown): Promise<MakePlugin> {
  const configuration = readImagePolicy(given);
  const place = await readPlace(configuration.kubeConfigFile);
  return ({ runtime, vocabulary, onError }) =>
    new ImagePolicyWebhook({
      service: ReviewService.at('the image policy webhook', place, runtime, configuration.retryMs),
      configuration,
      runtime,
      vocabulary,
      onError: (error) => onError('ImagePolicyWebhook', error),
    });
}
