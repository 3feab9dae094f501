import type { ServiceReference } from '../../kinds/admissionregistration/client-config.ts';
import type { MutatingWebhookConfiguration } from '../../kinds/admissionregistration/mutating-webhook-configuration.ts';
import type {
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from '../../kinds/admissionregistration/validating-webhook-configuration.ts';
import type { StepName } from '../../registry/admission.ts';
import type { Followed, Informer } from '../../registry/informer.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import { EVERY_LABEL, fromStructured } from '../../selectors/label-selector.ts';
import type { Criteria } from '../matching/matcher.ts';

/** Where a webhook is: exactly one of both. */
export interface WebhookAddress {
  readonly url: string | undefined;
  readonly service: ServiceReference | undefined;
  /** PEM; undefined for the system's authorities. */
  readonly ca: string | undefined;
}

/** One webhook of a configuration, ready to be asked. */
export interface Webhook extends Criteria {
  /** Unlike that of any other webhook. */
  readonly id: string;
  readonly name: string;
  readonly configuration: string;
  /** A call that fails lets the request pass. */
  readonly failsOpen: boolean;
  /** A call for a dry run changes nothing elsewhere. */
  readonly takesDryRuns: boolean;
  readonly timeoutMs: number;
  /** Versions of the question, by preference. */
  readonly reviewVersions: readonly string[];
  readonly address: WebhookAddress;
  /** Asked again when others changed the object after it. */
  readonly isReinvoked: boolean;
  /** Requests have to meet conditions, which the configuration has, before the webhook is called. */
  readonly hasConditions: boolean;
  readonly declaredIn: WebhookConfiguration;
}

/** A webhook that is to be asked about a request, and the version in which it wants to be. */
export interface Invocation {
  readonly webhook: Webhook;
  readonly as: ResourceType;
}

/** What calling a webhook is called by those who follow admission. */
export const stepOf = ({ name, configuration }: Webhook): StepName => ({
  type: 'Webhook',
  name,
  within: configuration,
});

type Declared = ValidatingWebhook & { readonly reinvocationPolicy?: string };
export type WebhookConfiguration = (MutatingWebhookConfiguration | ValidatingWebhookConfiguration) & {
  readonly webhooks?: Declared[];
};

/** The webhooks of one sort as they are configured at this moment: configurations by name, webhooks as they are listed. */
export class ConfiguredWebhooks {
  readonly #byConfiguration = new Map<string, readonly Webhook[]>();
  readonly #subscription: { close(): void };
  #current: readonly Webhook[] = [];

  /** What is written counts from then on, and is read once: who asks finds it ready. */
  constructor(informer: Informer, resource: Followed) {
    this.#subscription = informer.follow(resource, {
      onSet: (object) => {
        // One collection holds one kind: what is followed is what is asked for.
        const configuration = object as WebhookConfiguration;
        const { metadata, webhooks = [] } = configuration;
        const name = metadata.name ?? '';
        this.#byConfiguration.set(
          name,
          webhooks.map((declared) => readWebhook(configuration, declared)),
        );
        this.#settle();
      },
      onRemove: ({ metadata }) => {
        this.#byConfiguration.delete(metadata.name ?? '');
        this.#settle();
      },
    });
  }

  get current(): readonly Webhook[] {
    return this.#current;
  }

  close(): void {
    this.#subscription.close();
  }

  #settle(): void {
    const names = [...this.#byConfiguration.keys()].sort();
    this.#current = names.flatMap((name) => this.#byConfiguration.get(name) ?? []);
  }
}

const DEFAULT_TIMEOUT_S = 10;

export function readWebhook(declaredIn: WebhookConfiguration, declared: Declared): Webhook {
  const configuration = declaredIn.metadata.name ?? '';
  const { name, clientConfig, sideEffects, timeoutSeconds = DEFAULT_TIMEOUT_S } = declared;
  const { url, service, caBundle } = clientConfig;
  return {
    id: `${configuration}/${name}`,
    name,
    configuration,
    rules: declared.rules ?? [],
    namespaceSelector: fromStructured(declared.namespaceSelector) ?? EVERY_LABEL,
    objectSelector: fromStructured(declared.objectSelector) ?? EVERY_LABEL,
    matchesEquivalents: declared.matchPolicy !== 'Exact',
    failsOpen: declared.failurePolicy === 'Ignore',
    takesDryRuns: sideEffects === 'None' || sideEffects === 'NoneOnDryRun',
    timeoutMs: timeoutSeconds * 1000,
    reviewVersions: declared.admissionReviewVersions ?? [],
    address: { url, service, ca: caBundle ? Buffer.from(caBundle, 'base64').toString('utf8') : undefined },
    isReinvoked: declared.reinvocationPolicy === 'IfNeeded',
    hasConditions: (declared.matchConditions ?? []).length > 0,
    declaredIn,
  };
}
