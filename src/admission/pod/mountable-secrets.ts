import type { ServiceAccount } from '../../kinds/core/config/service-account.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

/** The secrets of a pod that an account which names its secrets does not name; undefined when all is well. */
export function mountableProblem(
  account: ServiceAccount,
  spec: Pod['spec'],
  { annotations }: Vocabulary,
): string | undefined {
  const enforced = account.metadata.annotations?.[annotations.enforceMountableSecrets] ?? '';
  if (!/^(1|t|T|true|TRUE|True)$/.test(enforced)) return undefined;
  const named = new Set((account.secrets ?? []).map(({ name }) => name));
  const [name, place] = referredSecrets(spec).find(([secret]) => !named.has(secret)) ?? [];
  if (name !== undefined) {
    const lead = `${place} with secret.secretName="${name}" is not allowed because service account`;
    return `${lead} ${account.metadata.name} does not reference that secret`;
  }
  const pulls = new Set((account.imagePullSecrets ?? []).map((secret) => secret.name));
  const pull = spec.imagePullSecrets?.find((secret) => !pulls.has(secret.name));
  if (!pull) return undefined;
  const why = `because service account ${account.metadata.name} does not reference that imagePullSecret`;
  return `imagePullSecrets[0].name="${pull.name}" is not allowed ${why}`;
}

/** Every secret that a pod reads, with where it does so. */
function referredSecrets(spec: Pod['spec']): [name: string, place: string][] {
  const volumes = (spec.volumes ?? []).flatMap(({ name, secret }): [string, string][] =>
    secret ? [[secret.secretName ?? '', `volume ${name}`]] : [],
  );
  const containers = [
    ...(spec.initContainers ?? []).map((container) => ({ container, sort: 'init container' })),
    ...(spec.containers ?? []).map((container) => ({ container, sort: 'container' })),
    ...(spec.ephemeralContainers ?? []).map((container) => ({ container, sort: 'ephemeral container' })),
  ];
  const environment = containers.flatMap(({ container: { name, env, envFrom }, sort }): [string, string][] => [
    ...(env ?? []).flatMap(({ name: variable, valueFrom }): [string, string][] =>
      valueFrom?.secretKeyRef ? [[valueFrom.secretKeyRef.name ?? '', `${sort} ${name} with env var ${variable}`]] : [],
    ),
    ...(envFrom ?? []).flatMap(({ secretRef }): [string, string][] =>
      secretRef ? [[secretRef.name ?? '', `${sort} ${name} with envFrom`]] : [],
    ),
  ]);
  return [...volumes, ...environment];
}
