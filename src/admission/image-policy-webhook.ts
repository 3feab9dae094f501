import type { Pod } from '../kinds/core/pod/pod.ts';
import { RememberedAnswers } from '../outbound/remembered-answers.ts';
import { type Json, objectIn, type ReviewService } from '../outbound/review-service.ts';
import type { AdmissionRequest } from '../registry/admission.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from './chain.ts';
import type { ImagePolicyConfiguration } from './image-policy-configuration.ts';
import { refusal } from './refusal.ts';

/** What the service said of the images of a pod. */
interface Verdict {
  readonly allowed: boolean;
  readonly reason: string;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface ImagePolicyParts {
  readonly service: ReviewService;
  readonly configuration: ImagePolicyConfiguration;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly onError: (error: unknown) => void;
}

/** Asks a remote service whether the images of a pod may be used. */
export class ImagePolicyWebhook implements AdmissionPlugin {
  readonly name = 'ImagePolicyWebhook';
  readonly operations = ['CREATE', 'UPDATE'] as const;
  private readonly parts: ImagePolicyParts;
  private readonly verdicts: RememberedAnswers<Verdict>;
  /** Annotations below it are meant for the service, or come from it. */
  private readonly domain: string;

  constructor(parts: ImagePolicyParts) {
    const { configuration, runtime, vocabulary } = parts;
    this.parts = parts;
    this.domain = `image-policy.${vocabulary.domains.groups}`;
    this.verdicts = new RememberedAnswers({
      name: 'image-policy-webhook',
      isYes: ({ allowed }) => allowed,
      yesMs: configuration.allowedMs,
      noMs: configuration.deniedMs,
      runtime,
    });
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === '' && plural === 'pods' && (subresource === '' || subresource === 'ephemeralcontainers');
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const spec = this.specOf(request);
    const verdict = await this.verdictOn(request, spec);
    if (!verdict) return;
    for (const [key, value] of Object.entries(verdict.annotations)) request.annotate(this.recordedAs(key), value);
    if (verdict.allowed) return;
    throw refusal(
      request,
      verdict.reason === ''
        ? 'one or more images rejected by webhook backend'
        : `image policy webhook backend denied one or more images: ${verdict.reason}`,
    );
  }

  close(): void {
    this.parts.service.close();
  }

  /** Undefined when the service could not be asked and the pod is let through all the same. */
  private async verdictOn(request: AdmissionRequest, spec: object): Promise<Verdict | undefined> {
    const { configuration, onError } = this.parts;
    try {
      return await this.verdicts.answerTo(JSON.stringify(spec), () => this.ask(spec));
    } catch (error) {
      onError(error);
      if (!configuration.defaultAllow) throw refusal(request, error instanceof Error ? error.message : String(error));
      request.annotate(this.recordedAs('failed-open'), 'true');
      return undefined;
    }
  }

  private recordedAs(key: string): string {
    return `imagepolicywebhook.${this.domain}/${key}`;
  }

  private async ask(spec: object): Promise<Verdict> {
    const { service, vocabulary } = this.parts;
    const apiVersion = `${vocabulary.groups.imagepolicy}/v1alpha1`;
    return verdictIn(await service.statusOf({ apiVersion, kind: 'ImageReview', spec }));
  }

  private specOf({ object, subresource, namespace }: AdmissionRequest): object {
    const { metadata, spec } = object as Pod;
    const reviewed =
      subresource === ''
        ? [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
        : (spec.ephemeralContainers ?? []);
    const annotations = Object.entries(metadata.annotations ?? {}).filter(([key]) => key.includes(`.${this.domain}/`));
    return {
      containers: reviewed.map(({ image }) => (image ? { image } : {})),
      ...(annotations.length > 0 ? { annotations: Object.fromEntries(annotations) } : {}),
      namespace,
    };
  }
}

function verdictIn({ allowed, reason, auditAnnotations }: Json): Verdict {
  const texts = Object.entries(objectIn(auditAnnotations)).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value] as const] : [],
  );
  return {
    allowed: allowed === true,
    reason: typeof reason === 'string' ? reason : '',
    annotations: Object.fromEntries(texts),
  };
}
