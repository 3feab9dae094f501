import { createHmac } from 'node:crypto';
import type { ConfigMap } from '../kinds/core/config-map.ts';
import { parseObject } from '../registry/encoding.ts';
import { objectKey } from '../registry/keys.ts';
import { readBootstrapSecret } from './bootstrap-secret.ts';
import { type Controller, type ControllerParts, identityOf, servedType } from './controller.ts';
import { WorkQueue } from './work-queue.ts';

const NAME = 'bootstrap-signer';
const CLUSTER_INFO = 'cluster-info';

const encoded = (content: string): string => Buffer.from(content).toString('base64url');

/** A signature that whoever knows the token can verify, without what it signs (JWS, compact, detached, HS256). */
export function detachedSignature(content: string, id: string, token: string): string {
  const header = encoded(JSON.stringify({ alg: 'HS256', kid: id }));
  const signature = createHmac('sha256', token)
    .update(`${header}.${encoded(content)}`)
    .digest('base64url');
  return `${header}..${signature}`;
}

/**
 * Signs what the public may know of the cluster with every token that machines join by, so that those who hold one can
 * tell it is genuine before they trust anything in it.
 */
export function startClusterInfoSigner(parts: ControllerParts): Controller {
  const { vocabulary } = parts;
  const queue = new WorkQueue({
    runtime: parts.runtime,
    handle: () => sign(parts),
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

async function sign(parts: ControllerParts): Promise<void> {
  const { registry, vocabulary } = parts;
  const type = servedType(parts, '', 'configmaps');
  const { public: namespace } = vocabulary.namespaces;
  if (!registry.log.get(objectKey(type, namespace, CLUSTER_INFO))) return;
  const tokens = signingTokens(parts);
  await registry.update(
    { type, namespace, name: CLUSTER_INFO, subresource: '' },
    (current) => current && { ...current, data: signed((current as ConfigMap).data ?? {}, tokens, parts) },
    identityOf(parts, NAME),
  );
}

interface SigningToken {
  readonly id: string;
  readonly token: string;
}

function signingTokens(parts: ControllerParts): SigningToken[] {
  const { registry, runtime, vocabulary } = parts;
  const { collection } = servedType(parts, '', 'secrets');
  return registry.log
    .list(collection, { prefix: `${vocabulary.namespaces.system}/bootstrap-token-` })
    .map(({ bytes }) => readBootstrapSecret(parseObject(bytes), vocabulary))
    .filter((secret) => secret?.expires === undefined || secret.expires > runtime.now())
    .flatMap((secret) => secret?.signing ?? []);
}

/** Signatures that are not by one of the tokens go; without anything to sign so do all of them. */
function signed(
  data: Readonly<Record<string, string>>,
  tokens: readonly SigningToken[],
  { vocabulary: { wellKnown } }: ControllerParts,
): Record<string, string> {
  const { clusterInfoKey, clusterInfoSignaturePrefix: prefix } = wellKnown;
  const content = data[clusterInfoKey];
  const others = Object.entries(data).filter(([key]) => !key.startsWith(prefix));
  const signatures =
    content === undefined
      ? []
      : tokens.map(({ id, token }) => [`${prefix}${id}`, detachedSignature(content, id, token)] as const);
  return Object.fromEntries([...others, ...signatures]);
}
