import { ApiError } from '../api/errors.ts';
import type { Secret } from '../kinds/core/config/secret.ts';
import type { ServiceAccount } from '../kinds/core/config/service-account.ts';
import type { ApiObject } from '../registry/resource-type.ts';
import { type Controller, type ControllerParts, identityOf, servedType } from './controller.ts';
import { WorkQueue } from './work-queue.ts';

const NAME = 'tokens-controller';
const SECRETS = { group: '', plural: 'secrets' };

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
export function startTokenSecrets(parts: ControllerParts): Controller {
  const queue = new WorkQueue({
    runtime: parts.runtime,
    meter: parts.queues.of(NAME),
    handle: (key) => reconcile(parts, fromKey(key)).catch(overlookRaces),
    onError: (key, error) => parts.onError(NAME, key, error),
  });
  const look = (object: ApiObject): void => {
    const found = tokenSecretIn(parts, object);
    if (found) queue.add(keyOf(found));
  };
  const subscriptions = [
    parts.informer.follow(
      { ...SECRETS, mentions: parts.vocabulary.secretTypes.serviceAccountToken },
      { onSet: look, onRemove: look },
    ),
    parts.informer.follow(
      { group: '', plural: 'serviceaccounts' },
      {
        onSet: () => {},
        onRemove({ metadata: { namespace = '' } }) {
          for (const version of parts.objects.versions(SECRETS, namespace)) look(parts.objects.once(version));
        },
      },
    ),
  ];
  return {
    close() {
      for (const subscription of subscriptions) subscription.close();
      return queue.close();
    },
  };
}

function tokenSecretIn({ vocabulary }: ControllerParts, object: ApiObject): TokenSecret | undefined {
  const { type, metadata } = object as Secret;
  const account = metadata.annotations?.[vocabulary.annotations.serviceAccountName];
  if (type !== vocabulary.secretTypes.serviceAccountToken || !account) return undefined;
  return { namespace: metadata.namespace ?? '', secret: metadata.name ?? '', account };
}

/** Someone else did what was to be done, or the object is no longer the one that was looked at. */
function overlookRaces(error: unknown): void {
  if (!(error instanceof ApiError && ['NotFound', 'Conflict'].includes(error.reason))) throw error;
}

function stored<T extends ApiObject>(parts: ControllerParts, plural: string, namespace: string, name: string) {
  return parts.objects.get<T>({ group: '', plural }, namespace, name);
}

async function reconcile(parts: ControllerParts, what: TokenSecret): Promise<void> {
  const { namespace } = what;
  const secret = stored<Secret>(parts, 'secrets', namespace, what.secret);
  const account = stored<ServiceAccount>(parts, 'serviceaccounts', namespace, what.account);
  if (!secret) {
    if (account) await forget(parts, account, what);
    return;
  }
  if (secret.metadata.deletionTimestamp) return;
  const claimed = secret.metadata.annotations?.[parts.vocabulary.annotations.serviceAccountUid];
  if (!account || (claimed !== undefined && claimed !== account.metadata.uid)) await remove(parts, secret, what);
  else if (!secret.immutable) await fill(parts, secret, account, what);
}

/** The account does not send pods to a secret that is gone. */
async function forget(parts: ControllerParts, account: ServiceAccount, what: TokenSecret): Promise<void> {
  if (!account.secrets?.some(({ name }) => name === what.secret)) return;
  const ref = { type: servedType(parts, '', 'serviceaccounts'), namespace: what.namespace, name: what.account };
  await parts.registry.update(
    { ...ref, subresource: '' },
    (current) => {
      if (!current) return undefined;
      const { secrets, ...rest } = current as ServiceAccount;
      return { ...rest, secrets: secrets?.filter(({ name }) => name !== what.secret) };
    },
    identityOf(parts, NAME),
  );
}

async function remove(parts: ControllerParts, { metadata }: Secret, what: TokenSecret): Promise<void> {
  await parts.registry.delete(servedType(parts, '', 'secrets'), what.namespace, what.secret, {
    ...identityOf(parts, NAME),
    preconditions: { uid: metadata.uid ?? '' },
  });
}

/** A token that is there already stays, whoever made it: clients may have it. */
async function fill(parts: ControllerParts, secret: Secret, account: ServiceAccount, what: TokenSecret): Promise<void> {
  const { serviceAccountUid } = parts.vocabulary.annotations;
  const { uid = '' } = account.metadata;
  const { namespace } = what;
  const given = { 'ca.crt': base64(parts.rootCa), namespace: base64(namespace) };
  const isFull =
    secret.data?.token &&
    secret.metadata.annotations?.[serviceAccountUid] === uid &&
    Object.entries(given).every(([key, value]) => secret.data?.[key] === value);
  if (isFull) return;
  const serviceAccount = { name: what.account, uid };
  const token = base64(await parts.signForSecret({ namespace, secretName: what.secret, serviceAccount }));
  await parts.registry.update(
    { type: servedType(parts, '', 'secrets'), namespace, name: what.secret, subresource: '' },
    (current) => {
      // Made anew meanwhile: what is to be done about that one is seen when it is looked at.
      if (!current || current.metadata.uid !== secret.metadata.uid) return current;
      const { data, metadata } = current as Secret;
      return {
        ...current,
        metadata: { ...metadata, annotations: { ...metadata.annotations, [serviceAccountUid]: uid } },
        data: { ...data, ...given, token: data?.token || token },
      };
    },
    identityOf(parts, NAME),
  );
}
