import { type Check, containersNamed, containersOf, namesWhere, plural, quoted, setters, sorted } from './check.ts';

/** What good practice asks for beyond keeping pods off their node. */

export const allowPrivilegeEscalation: Check = (pod) => {
  const names = namesWhere(pod, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (names.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containersNamed(names)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

export const restrictedCapabilities: Check = (pod) => {
  const keeping = namesWhere(pod, ({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL'));
  const adding: string[] = [];
  const added: string[] = [];
  for (const { name, securityContext } of containersOf(pod)) {
    const more = (securityContext?.capabilities?.add ?? []).filter((one) => one !== 'NET_BIND_SERVICE');
    if (more.length > 0) adding.push(name);
    added.push(...more);
  }
  const details = [
    ...(keeping.length > 0 ? [`${containersNamed(keeping)} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(adding.length > 0
      ? [`${containersNamed(adding)} must not include ${quoted(sorted(added))} in securityContext.capabilities.add`]
      : []),
  ];
  return details.length > 0 ? { reason: 'unrestricted capabilities', detail: details.join('; ') } : undefined;
};

const MODEST_VOLUMES = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

export const restrictedVolumes: Check = ({ spec }) => {
  const names: string[] = [];
  const types: string[] = [];
  for (const volume of spec.volumes ?? []) {
    const { name, ...source } = volume;
    const [type = 'unknown'] = Object.keys(source);
    if (MODEST_VOLUMES.has(type)) continue;
    names.push(name);
    types.push(type);
  }
  if (names.length === 0) return undefined;
  const distinct = sorted(types);
  const what = `${plural(distinct.length, 'restricted volume type', 'restricted volume types')} ${quoted(distinct)}`;
  const who = `${plural(names.length, 'volume', 'volumes')} ${quoted(names)}`;
  return { reason: 'restricted volume types', detail: `${who} ${plural(names.length, 'uses', 'use')} ${what}` };
};

export const runAsNonRoot: Check = (pod) => {
  const reason = 'runAsNonRoot != true';
  const own = pod.spec.securityContext?.runAsNonRoot ?? undefined;
  const rooted = namesWhere(pod, ({ securityContext }) => securityContext?.runAsNonRoot === false);
  if (own === false || rooted.length > 0) {
    const who = setters(own === false, rooted);
    return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  }
  const silent = namesWhere(pod, ({ securityContext }) => (securityContext?.runAsNonRoot ?? undefined) === undefined);
  if (own === true || silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containersNamed(silent)} must set securityContext.runAsNonRoot=true` };
};

export const runAsUser: Check = (pod) => {
  const onPod = pod.spec.securityContext?.runAsUser === 0;
  const names = namesWhere(pod, ({ securityContext }) => securityContext?.runAsUser === 0);
  if (!onPod && names.length === 0) return undefined;
  return { reason: 'runAsUser=0', detail: `${setters(onPod, names)} must not set runAsUser=0` };
};
