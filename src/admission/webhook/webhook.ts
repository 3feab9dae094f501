import type { ServiceReference } from '../../kinds/admissionregistration/client-config.ts';
import type { MutatingWebhookConfiguration } from '../../kinds/admissionregistration/mutating-webhook-configuration.ts';
import type { RuleWithOperations } from '../../kinds/admissionregistration/rule.ts';
import type {
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from '../../kinds/admissionregistration/validating-webhook-configuration.ts';
import type { Lister, Resource } from '../../registry/lister.ts';
import { EVERY_LABEL, fromStructured, type LabelSelector } from '../../selectors/label-selector.ts';

/** Where a webhook is: exactly one of both. */
export interface WebhookAddress {
  readonly url: string | undefined;
  readonly service: ServiceReference | undefined;
  /** PEM; undefined for the system's authorities. */
  readonly ca: string | undefined;
}

/** One webhook of a configuration, ready to be asked. */
export interface Webhook {
  /** Unlike that of any other webhook. */
  readonly id: string;
  readonly name: string;
  readonly configuration: string;
  readonly rules: readonly RuleWithOperations[];
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
  /** Other versions of what the rules name count as well. */
  readonly matchesEquivalents: boolean;
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
}

type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;
type Declared = ValidatingWebhook & { readonly reinvocationPolicy?: string };

const NONE: readonly Webhook[] = [];

/** The webhooks of one sort as they are configured at this moment. */
export class ConfiguredWebhooks {
  readonly #objects: Lister;
  readonly #resource: Resource;
  /** By stored version: what a configuration says is read once. */
  readonly #known = new WeakMap<Configuration, readonly Webhook[]>();

  constructor(objects: Lister, resource: Resource) {
    this.#objects = objects;
    this.#resource = resource;
  }

  /** Configurations by name, webhooks as they are listed. */
  current(): readonly Webhook[] {
    const configurations = this.#objects.list<Configuration>(this.#resource);
    if (configurations.length === 0) return NONE;
    return configurations.flatMap((configuration) => this.#webhooksOf(configuration));
  }

  #webhooksOf(configuration: Configuration): readonly Webhook[] {
    const known = this.#known.get(configuration);
    if (known) return known;
    const declared: readonly Declared[] = configuration.webhooks ?? [];
    const webhooks = declared.map((one) => readWebhook(configuration.metadata.name ?? '', one));
    this.#known.set(configuration, webhooks);
    return webhooks;
  }
}

const DEFAULT_TIMEOUT_S = 10;

function readWebhook(configuration: string, declared: Declared): Webhook {
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
  };
}
