import { type Check, containersNamed, containersOf, namesWhere, plural, quoted, setters, sorted } from './check.ts';

/** What loosens the confinement that a runtime gives containers. */

export const appArmorProfile: Check = (pod, { annotations: { appArmorContainerPrefix } }) => {
  const isAllowed = (value: string): boolean =>
    value === '' || value === 'runtime/default' || value.startsWith('localhost/');
  const wrong = Object.entries(pod.annotations)
    .filter(([key, value]) => key.startsWith(appArmorContainerPrefix) && !isAllowed(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  if (wrong.length === 0) return undefined;
  const reason = plural(wrong.length, 'forbidden AppArmor profile', 'forbidden AppArmor profiles');
  return { reason, detail: wrong.sort().join(', ') };
};

const DEFAULT_CAPABILITIES = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

export const defaultCapabilities: Check = (pod) => {
  const names: string[] = [];
  const added: string[] = [];
  for (const { name, securityContext } of containersOf(pod)) {
    const more = (securityContext?.capabilities?.add ?? []).filter((one) => !DEFAULT_CAPABILITIES.has(one));
    if (more.length > 0) names.push(name);
    added.push(...more);
  }
  if (names.length === 0) return undefined;
  const list = quoted(sorted(added));
  return {
    reason: 'non-default capabilities',
    detail: `${containersNamed(names)} must not include ${list} in securityContext.capabilities.add`,
  };
};

export const procMount: Check = (pod) => {
  const isMasked = (value: string | null | undefined): boolean =>
    value === undefined || value === null || value === 'Default';
  const loose = containersOf(pod).filter(({ securityContext }) => !isMasked(securityContext?.procMount));
  if (loose.length === 0) return undefined;
  const names = loose.map(({ name }) => name);
  const values = sorted(loose.map(({ securityContext }) => securityContext?.procMount ?? ''));
  return {
    reason: 'procMount',
    detail: `${containersNamed(names)} must not set securityContext.procMount to ${quoted(values)}`,
  };
};

const SELINUX_TYPES = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t']);

type SELinux = { readonly type?: string; readonly user?: string; readonly role?: string };

export const seLinuxOptions: Check = (pod) => {
  const isWrong = ({ type = '', user, role }: SELinux = {}): boolean =>
    !SELINUX_TYPES.has(type) || Boolean(user) || Boolean(role);
  const own = pod.spec.securityContext?.seLinuxOptions ?? undefined;
  const names = namesWhere(pod, ({ securityContext }) => isWrong(securityContext?.seLinuxOptions ?? undefined));
  const onPod = isWrong(own);
  if (!onPod && names.length === 0) return undefined;
  const all: SELinux[] = [
    own,
    ...containersOf(pod).map(({ securityContext }) => securityContext?.seLinuxOptions),
  ].flatMap((options) => options ?? []);
  const types = sorted(all.map(({ type = '' }) => type).filter((type) => !SELINUX_TYPES.has(type)));
  const said = [
    ...(types.length > 0 ? [`${plural(types.length, 'type', 'types')} ${quoted(types)}`] : []),
    ...(all.some(({ user }) => user) ? ['user may not be set'] : []),
    ...(all.some(({ role }) => role) ? ['role may not be set'] : []),
  ];
  return {
    reason: 'seLinuxOptions',
    detail: `${setters(onPod, names)} set forbidden securityContext.seLinuxOptions: ${said.join('; ')}`,
  };
};
