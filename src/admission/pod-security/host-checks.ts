import { type Check, containersNamed, containersOf, namesWhere, plural, quoted, setters, sorted } from './check.ts';

/** What gives a pod a hold on its node. */

export const hostNamespaces: Check = ({ spec }) => {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field]);
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') };
};

export const hostPathVolumes: Check = ({ spec }) => {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name }) => name);
  if (names.length === 0) return undefined;
  return { reason: 'hostPath volumes', detail: `${plural(names.length, 'volume', 'volumes')} ${quoted(names)}` };
};

export const hostPorts: Check = (pod) => {
  const names: string[] = [];
  const ports: string[] = [];
  for (const container of containersOf(pod)) {
    const taken = (container.ports ?? []).flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : []));
    if (taken.length > 0) names.push(container.name);
    ports.push(...taken);
  }
  if (names.length === 0) return undefined;
  const distinct = sorted(ports);
  const use = plural(names.length, 'uses', 'use');
  const hostPort = plural(distinct.length, 'hostPort', 'hostPorts');
  return { reason: 'hostPort', detail: `${containersNamed(names)} ${use} ${hostPort} ${distinct.join(', ')}` };
};

export const privileged: Check = (pod) => {
  const names = namesWhere(pod, ({ securityContext }) => securityContext?.privileged === true);
  if (names.length === 0) return undefined;
  return { reason: 'privileged', detail: `${containersNamed(names)} must not set securityContext.privileged=true` };
};

export const windowsHostProcess: Check = (pod) => {
  const names = namesWhere(pod, ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true);
  const onPod = pod.spec.securityContext?.windowsOptions?.hostProcess === true;
  if (!onPod && names.length === 0) return undefined;
  const who = setters(onPod, names);
  return { reason: 'hostProcess', detail: `${who} must not set securityContext.windowsOptions.hostProcess=true` };
};

const SAFE_SYSCTLS = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
]);

export const sysctls: Check = ({ spec }) => {
  const names = (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !SAFE_SYSCTLS.has(name));
  if (names.length === 0) return undefined;
  return { reason: 'forbidden sysctls', detail: names.join(', ') };
};
