import { Pod } from '../../kinds/core/pod/pod.ts';
import { RememberedAnswers } from '../../outbound/remembered-answers.ts';
import { type Json, objectIn, type ReviewService } from '../../outbound/review-service.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';
import { onKind, onSubresource, type WriteRequest } from '../rule.ts';
import type { ImagePolicyConfiguration } from './configuration.ts';

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
  readonly rules = [
    onKind(Pod).validate({
      write: (request) => this.#review(request, imagesOfPod(request.object)),
    }),
    onSubresource(Pod, 'ephemeralcontainers').validate({
      update: (request) => this.#review(request, request.object.spec.ephemeralContainers ?? []),
    }),
  ];
  readonly #service: ReviewService;
  readonly #defaultAllow: boolean;
  readonly #apiVersion: string;
  readonly #onError: (error: unknown) => void;
  readonly #verdicts: RememberedAnswers<Verdict>;
  /** Annotations below it are meant for the service, or come from it. */
  readonly #domain: string;

  constructor({ service, configuration, runtime, vocabulary, onError }: ImagePolicyParts) {
    this.#service = service;
    this.#defaultAllow = configuration.defaultAllow;
    this.#apiVersion = `${vocabulary.groups.imagepolicy}/v1alpha1`;
    this.#onError = onError;
    this.#domain = `image-policy.${vocabulary.domains.groups}`;
    this.#verdicts = new RememberedAnswers({
      name: 'image-policy-webhook',
      isYes: ({ allowed }) => allowed,
      yesMs: configuration.allowedMs,
      noMs: configuration.deniedMs,
      runtime,
    });
  }

  async #review(request: WriteRequest<Pod>, containers: readonly WithImage[]): Promise<void> {
    const verdict = await this.#verdictOn(request, this.#questionAbout(request, containers));
    if (!verdict) return;
    for (const [key, value] of Object.entries(verdict.annotations)) request.annotate(this.#recordedAs(key), value);
    if (verdict.allowed) return;
    throw refusal(
      request,
      verdict.reason === ''
        ? 'one or more images rejected by webhook backend'
        : `image policy webhook backend denied one or more images: ${verdict.reason}`,
    );
  }

  close(): void {
    this.#service.close();
  }

  /** Undefined when the service could not be asked and the pod is let through all the same. */
  async #verdictOn(request: WriteRequest<Pod>, spec: object): Promise<Verdict | undefined> {
    try {
      return await this.#verdicts.answerTo(JSON.stringify(spec), () => this.#ask(spec));
    } catch (error) {
      this.#onError(error);
      if (!this.#defaultAllow) throw refusal(request, error instanceof Error ? error.message : String(error));
      request.annotate(this.#recordedAs('failed-open'), 'true');
      return undefined;
    }
  }

  #recordedAs(key: string): string {
    return `imagepolicywebhook.${this.#domain}/${key}`;
  }

  async #ask(spec: object): Promise<Verdict> {
    return verdictIn(await this.#service.statusOf({ apiVersion: this.#apiVersion, kind: 'ImageReview', spec }));
  }

  #questionAbout({ object, namespace }: WriteRequest<Pod>, containers: readonly WithImage[]): object {
    const annotations = Object.entries(object.metadata.annotations ?? {}).filter(([key]) =>
      key.includes(`.${this.#domain}/`),
    );
    return {
      containers: containers.map(({ image }) => (image ? { image } : {})),
      ...(annotations.length > 0 ? { annotations: Object.fromEntries(annotations) } : {}),
      namespace,
    };
  }
}

interface WithImage {
  readonly image?: string;
}

const imagesOfPod = ({ spec }: Pod): readonly WithImage[] => [
  ...(spec.containers ?? []),
  ...(spec.initContainers ?? []),
];

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
