import type { AnyObject } from '../client/plane-client.ts';
import type { ConfigMap } from '../kinds/core/config/config-map.ts';
import { sameJson } from '../schema/same-json.ts';
import { readBootstrapSecret } from './bootstrap-secret.ts';
import { detachedSignature, isSignatureBy, type SigningToken } from './cluster-info-signature.ts';
import { type Loop, type LoopPlane, type LoopQueue, servedKind } from './loop.ts';

const CONFIG_MAPS = { group: '', plural: 'configmaps' };
const SECRETS = { group: '', plural: 'secrets' };
const CLUSTER_INFO = 'cluster-info';

/** What others did to signatures is put right this often within the window; then they are left to have their way. */
const MOST_REPAIRS = 5;
const REPAIR_WINDOW_MS = 600_000;

type Data = Readonly<Record<string, string>>;

/**
 * Signs what the public may know of the cluster with every token that machines join by, so that those who hold one can
 * tell it is genuine before they trust anything in it.
 */
export const clusterInfoSigner: Loop = {
  name: 'bootstrapsigner',
  account: 'bootstrap-signer',
  begin(plane, queue) {
    const { namespaces, secretTypes } = plane.vocabulary;
    const signer = new ClusterInfoSigner(plane, queue);
    const look = (object: AnyObject): string[] => (readBootstrapSecret(object, plane.vocabulary) ? [CLUSTER_INFO] : []);
    return {
      watches: [
        {
          ...CONFIG_MAPS,
          name: CLUSTER_INFO,
          onSet: ({ metadata }) => (metadata.namespace === namespaces.public ? [CLUSTER_INFO] : []),
        },
        { ...SECRETS, mentions: secretTypes.bootstrapToken, onSet: look, onRemove: look },
      ],
      handle: () => signer.sign(),
    };
  },
};

/**
 * Another program may sign the same object, with other keys or for other tokens. What it writes over a signature that is
 * still right stays, and what else is changed again and again is put right only now and then: two signers that both
 * insist would write as fast as they can, for ever.
 */
class ClusterInfoSigner {
  readonly #plane: LoopPlane;
  readonly #queue: LoopQueue;
  /** The signatures as of the last time, by key: they follow from the content and the tokens alone. */
  #known: Data = {};
  #repairs = 0;
  #windowEnds = 0;

  constructor(plane: LoopPlane, queue: LoopQueue) {
    this.#plane = plane;
    this.#queue = queue;
  }

  async sign(): Promise<void> {
    const { known, client, vocabulary } = this.#plane;
    const { public: namespace } = vocabulary.namespaces;
    const stored = known.get<ConfigMap>(CONFIG_MAPS, namespace, CLUSTER_INFO);
    if (!stored) return;
    const tokens = this.#tokens();
    const { data = {} } = stored;
    const wanted = this.#signatures(data, tokens);
    if (sameJson(this.#signed(data, tokens), data)) {
      this.#known = wanted;
      return;
    }
    if (sameJson(wanted, this.#known) && !this.#mayRepair()) return;
    const target = { kind: servedKind(this.#plane, CONFIG_MAPS), namespace, name: CLUSTER_INFO };
    await client.change(target, stored, (current) => {
      const signed = this.#signed(current.data ?? {}, tokens);
      return sameJson(signed, current.data ?? {}) ? undefined : { ...current, data: signed };
    });
    this.#known = wanted;
  }

  #tokens(): SigningToken[] {
    const { known, runtime, vocabulary } = this.#plane;
    return [...known.each(SECRETS, vocabulary.namespaces.system, vocabulary.secretTypes.bootstrapToken)]
      .map((secret) => readBootstrapSecret(secret, vocabulary))
      .filter((secret) => secret?.expires === undefined || secret.expires > runtime.now())
      .flatMap((secret) => secret?.signing ?? []);
  }

  #signatures(data: Data, tokens: readonly SigningToken[]): Data {
    const { vocabulary } = this.#plane;
    const { clusterInfoKey, clusterInfoSignaturePrefix: prefix } = vocabulary.wellKnown;
    const content = data[clusterInfoKey];
    if (content === undefined) return {};
    const signed = tokens.map((token) => [`${prefix}${token.id}`, detachedSignature(content, token, vocabulary)]);
    return Object.fromEntries(signed);
  }

  /** Signatures that are not by one of the tokens go; without anything to sign so do all of them. */
  #signed(data: Data, tokens: readonly SigningToken[]): Data {
    const { clusterInfoSignaturePrefix: prefix } = this.#plane.vocabulary.wellKnown;
    const others = Object.entries(data).filter(([key]) => !key.startsWith(prefix));
    const signatures = Object.entries(this.#signatures(data, tokens)).map(([key, signature]) => {
      const isContested = this.#known[key] === signature && isSignatureBy(data[key], key.slice(prefix.length));
      return [key, isContested ? data[key] : signature];
    });
    return Object.fromEntries([...others, ...signatures]);
  }

  /** False when it has been done often enough for now; it is tried again when the window is over. */
  #mayRepair(): boolean {
    const { runtime } = this.#plane;
    const now = runtime.monotonic();
    if (now >= this.#windowEnds) {
      this.#windowEnds = now + REPAIR_WINDOW_MS;
      this.#repairs = 0;
    }
    if (this.#repairs === MOST_REPAIRS) this.#queue.addAfter(CLUSTER_INFO, this.#windowEnds - now);
    return this.#repairs++ < MOST_REPAIRS;
  }
}
