import type { ConfigMap } from '../kinds/core/config/config-map.ts';
import { sameJson } from '../schema/same-json.ts';
import { readBootstrapSecret } from './bootstrap-secret.ts';
import { detachedSignature, isSignatureBy, type SigningToken } from './cluster-info-signature.ts';
import { type Controller, type ControllerParts, identityOf, servedType } from './controller.ts';
import { WorkQueue } from './work-queue.ts';

const NAME = 'bootstrap-signer';
const CLUSTER_INFO = 'cluster-info';

/** What others did to signatures is put right this often within the window; then they are left to have their way. */
const MOST_REPAIRS = 5;
const REPAIR_WINDOW_MS = 600_000;

type Data = Readonly<Record<string, string>>;

/**
 * Signs what the public may know of the cluster with every token that machines join by, so that those who hold one can
 * tell it is genuine before they trust anything in it.
 */
export function startClusterInfoSigner(parts: ControllerParts): Controller {
  const { vocabulary } = parts;
  const signer = new ClusterInfoSigner(parts, () => signAgain());
  const queue = new WorkQueue({
    runtime: parts.runtime,
    meter: parts.queues.of(NAME),
    handle: () => signer.sign(),
    onError: (key, error) => parts.onError(NAME, key, error),
  });
  const signAgain = (): void => queue.add(CLUSTER_INFO);
  const look = (object: Parameters<typeof readBootstrapSecret>[0]): void => {
    if (readBootstrapSecret(object, vocabulary)) signAgain();
  };
  const subscriptions = [
    parts.informer.follow(
      { group: '', plural: 'configmaps', name: CLUSTER_INFO },
      { onSet: ({ metadata }) => metadata.namespace === vocabulary.namespaces.public && signAgain(), onRemove() {} },
    ),
    parts.informer.follow(
      { group: '', plural: 'secrets', mentions: vocabulary.secretTypes.bootstrapToken },
      { onSet: look, onRemove: look },
    ),
  ];
  return {
    close() {
      for (const subscription of subscriptions) subscription.close();
      return queue.close();
    },
  };
}

/**
 * Another program may sign the same object, with other keys or for other tokens. What it writes over a signature that is
 * still right stays, and what else is changed again and again is put right only now and then: two signers that both
 * insist would write as fast as they can, for ever.
 */
class ClusterInfoSigner {
  readonly #parts: ControllerParts;
  readonly #signLater: () => void;
  /** The signatures as of the last time, by key: they follow from the content and the tokens alone. */
  #known: Data = {};
  #repairs = 0;
  #windowEnds = 0;

  constructor(parts: ControllerParts, signLater: () => void) {
    this.#parts = parts;
    this.#signLater = signLater;
  }

  async sign(): Promise<void> {
    const { objects, registry, vocabulary } = this.#parts;
    const type = servedType(this.#parts, '', 'configmaps');
    const { public: namespace } = vocabulary.namespaces;
    const stored = objects.get<ConfigMap>(type, namespace, CLUSTER_INFO);
    if (!stored) return;
    const tokens = this.#tokens();
    const { data = {} } = stored;
    const wanted = this.#signatures(data, tokens);
    if (sameJson(this.#signed(data, tokens), data)) {
      this.#known = wanted;
      return;
    }
    if (sameJson(wanted, this.#known) && !this.#mayRepair()) return;
    await registry.update(
      { type, namespace, name: CLUSTER_INFO, subresource: '' },
      (current) => current && { ...current, data: this.#signed((current as ConfigMap).data ?? {}, tokens) },
      identityOf(this.#parts, NAME),
    );
    this.#known = wanted;
  }

  #tokens(): SigningToken[] {
    const { objects, runtime, vocabulary } = this.#parts;
    return objects
      .versions({ group: '', plural: 'secrets' }, vocabulary.namespaces.system, 'bootstrap-token-')
      .map((version) => readBootstrapSecret(objects.of(version), vocabulary))
      .filter((secret) => secret?.expires === undefined || secret.expires > runtime.now())
      .flatMap((secret) => secret?.signing ?? []);
  }

  #signatures(data: Data, tokens: readonly SigningToken[]): Data {
    const { vocabulary } = this.#parts;
    const { clusterInfoKey, clusterInfoSignaturePrefix: prefix } = vocabulary.wellKnown;
    const content = data[clusterInfoKey];
    if (content === undefined) return {};
    const signed = tokens.map((token) => [`${prefix}${token.id}`, detachedSignature(content, token, vocabulary)]);
    return Object.fromEntries(signed);
  }

  /** Signatures that are not by one of the tokens go; without anything to sign so do all of them. */
  #signed(data: Data, tokens: readonly SigningToken[]): Data {
    const { clusterInfoSignaturePrefix: prefix } = this.#parts.vocabulary.wellKnown;
    const others = Object.entries(data).filter(([key]) => !key.startsWith(prefix));
    const signatures = Object.entries(this.#signatures(data, tokens)).map(([key, signature]) => {
      const isContested = this.#known[key] === signature && isSignatureBy(data[key], key.slice(prefix.length));
      return [key, isContested ? data[key] : signature];
    });
    return Object.fromEntries([...others, ...signatures]);
  }

  /** False when it has been done often enough for now; it is tried again when the window is over. */
  #mayRepair(): boolean {
    const { runtime } = this.#parts;
    const now = runtime.monotonic();
    if (now >= this.#windowEnds) {
      this.#windowEnds = now + REPAIR_WINDOW_MS;
      this.#repairs = 0;
    }
    if (this.#repairs === MOST_REPAIRS) runtime.after(this.#windowEnds - now, this.#signLater);
    return this.#repairs++ < MOST_REPAIRS;
  }
}
