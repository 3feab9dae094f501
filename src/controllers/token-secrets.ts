import type { Secret } from '../kinds/core/config/secret.ts';
import type { ServiceAccount } from '../kinds/core/config/service-account.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type Loop, type LoopPlane, servedKind } from './loop.ts';
import type { LoopMaterials } from './loop-materials.ts';

const SECRETS = { group: '', plural: 'secrets' };
const ACCOUNTS = { group: '', plural: 'serviceaccounts' };

/** A secret that is to hold a token, and the account that it is for. None of these names has a slash in it. */
interface TokenSecret {
  readonly namespace: string;
  readonly secret: string;
  readonly account: string;
}

const keyOf = ({ namespace, secret, account }: TokenSecret): string => `${namespace}/${secret}/${account}`;

function fromKey(key: string): TokenSecret {
  const [namespace = '', secret = '', account = ''] = key.split('/');
  return { namespace, secret, account };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Fills in secrets that are made for the token of a service account, and removes them with the account. */
export const tokenSecrets = (materials: LoopMaterials): Loop => ({
  name: 'serviceaccount-token',
  // No account of a loop may touch secrets everywhere: only the process that makes tokens for them all.
  account: undefined,
  begin(plane) {
    const { known, vocabulary } = plane;
    const mentions = vocabulary.secretTypes.serviceAccountToken;
    const keysOf = (secret: Secret): string[] => {
      const found = tokenSecretIn(vocabulary, secret);
      return found ? [keyOf(found)] : [];
    };
    const look = (object: object): string[] => keysOf(object as Secret);
    return {
      watches: [
        { ...SECRETS, mentions, onSet: look, onRemove: look },
        {
          ...ACCOUNTS,
          onRemove: ({ metadata }) => [...known.each<Secret>(SECRETS, metadata.namespace, mentions)].flatMap(keysOf),
        },
      ],
      handle: (key) => new TokenSecretWork(plane, materials, fromKey(key)).reconcile(),
    };
  },
});

function tokenSecretIn(vocabulary: Vocabulary, { type, metadata }: Secret): TokenSecret | undefined {
  const account = metadata.annotations?.[vocabulary.annotations.serviceAccountName];
  if (type !== vocabulary.secretTypes.serviceAccountToken || !account) return undefined;
  return { namespace: metadata.namespace ?? '', secret: metadata.name ?? '', account };
}

/** One look at one secret. */
class TokenSecretWork {
  readonly #plane: LoopPlane;
  readonly #materials: LoopMaterials;
  readonly #what: TokenSecret;

  constructor(plane: LoopPlane, materials: LoopMaterials, what: TokenSecret) {
    this.#plane = plane;
    this.#materials = materials;
    this.#what = what;
  }

  async reconcile(): Promise<void> {
    const { known, vocabulary } = this.#plane;
    const { namespace } = this.#what;
    const secret = known.get<Secret>(SECRETS, namespace, this.#what.secret);
    const account = known.get<ServiceAccount>(ACCOUNTS, namespace, this.#what.account);
    if (!secret) {
      if (account) await this.#forget(account);
      return;
    }
    if (secret.metadata.deletionTimestamp) return;
    const claimed = secret.metadata.annotations?.[vocabulary.annotations.serviceAccountUid];
    if (!account || (claimed !== undefined && claimed !== account.metadata.uid)) await this.#remove(secret);
    else if (!secret.immutable) await this.#fill(secret, account);
  }

  /** The account does not send pods to a secret that is gone. */
  async #forget(account: ServiceAccount): Promise<void> {
    const { namespace, secret } = this.#what;
    const target = { kind: servedKind(this.#plane, ACCOUNTS), namespace, name: this.#what.account };
    await this.#plane.client.change(target, account, ({ secrets, ...rest }) => {
      const others = secrets?.filter(({ name }) => name !== secret);
      return others?.length === secrets?.length ? undefined : { ...rest, secrets: others };
    });
  }

  async #remove({ metadata: { uid = '' } }: Secret): Promise<void> {
    await this.#plane.client.deleteIfThere(this.#target, { preconditions: { uid } });
  }

  /** A token that is there already stays, whoever made it: clients may have it. */
  async #fill(secret: Secret, account: ServiceAccount): Promise<void> {
    const { serviceAccountUid } = this.#plane.vocabulary.annotations;
    const { namespace, secret: secretName, account: name } = this.#what;
    const { uid = '' } = account.metadata;
    const given = { 'ca.crt': base64(this.#materials.rootCa), namespace: base64(namespace) };
    const isFull = ({ data, metadata }: Secret): boolean =>
      Boolean(data?.token) &&
      metadata.annotations?.[serviceAccountUid] === uid &&
      Object.entries(given).every(([key, value]) => data?.[key] === value);
    if (isFull(secret)) return;
    const token = base64(await this.#materials.signForSecret({ namespace, secretName, serviceAccount: { name, uid } }));
    await this.#plane.client.change(this.#target, secret, (current) => {
      if (isFull(current)) return undefined;
      const { data, metadata } = current;
      return {
        ...current,
        metadata: { ...metadata, annotations: { ...metadata.annotations, [serviceAccountUid]: uid } },
        data: { ...data, ...given, token: data?.token || token },
      };
    });
  }

  get #target() {
    const { namespace, secret: name } = this.#what;
    return { kind: servedKind(this.#plane, SECRETS), namespace, name };
  }
}
