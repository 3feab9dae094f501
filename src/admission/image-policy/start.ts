import { ReviewService, readPlace } from '../../outbound/review-service.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { readImagePolicy } from './configuration.ts';
import { ImagePolicyWebhook } from './image-policy-webhook.ts';

/** Makes the plugin once its configuration has been read. */
type MakeImagePolicy = (runtime: Runtime, vocabulary: Vocabulary, onError: (error: unknown) => void) => AdmissionPlugin;

/** Reads the configuration and the file it names. Rejects with an Error of one line. */
export async function readImagePolicyWebhook(given: unknown): Promise<MakeImagePolicy> {
  const configuration = readImagePolicy(given);
  const place = await readPlace(configuration.kubeConfigFile);
  return (runtime, vocabulary, onError) =>
    new ImagePolicyWebhook({
      service: ReviewService.at('the image policy webhook', place, runtime, configuration.retryMs),
      configuration,
      runtime,
      vocabulary,
      onError,
    });
}
