import { describe, expect, it } from 'vitest';
import { PodSpec } from '../../kinds/core/pod/pod-spec.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { violationsOf, violationsText } from './checks.ts';
import type { Level, PolicyVersion } from './policy.ts';

const vocabulary = vocabularies.platform;

type Json = { readonly [key: string]: unknown };

/** What the restricted level asks of a pod and of its container. */
const GOOD_POD = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
const GOOD = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

const container = (securityContext: Json = {}, more: Json = {}): Json => ({
  name: 'a',
  image: 'i',
  securityContext: { ...GOOD, ...securityContext },
  ...more,
});

const pod = (more: Json = {}, securityContext: Json = {}): Json => ({
  containers: [container()],
  securityContext: { ...GOOD_POD, ...securityContext },
  ...more,
});

function told(level: Level, version: PolicyVersion, spec: Json, annotations: Record<string, string> = {}): string {
  const checked = { annotations, spec: canonicalise(PodSpec, spec).value };
  return violationsText(violationsOf({ level, version }, checked, vocabulary));
}

type Case = readonly [what: string, spec: Json, baseline: string, restricted?: string];

/** At the latest version; what is told at the restricted level where that is more than, or not, what baseline tells. */
const CASES: readonly Case[] = [
  ['nothing unusual', pod(), ''],
  ['host network', pod({ hostNetwork: true }), 'host namespaces (hostNetwork=true)'],
  ['host processes', pod({ hostPID: true }), 'host namespaces (hostPID=true)'],
  [
    'all host namespaces',
    pod({ hostIPC: true, hostPID: true, hostNetwork: true }),
    'host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)',
  ],
  [
    'a host path',
    pod({ volumes: [{ name: 'v', hostPath: { path: '/' } }] }),
    'hostPath volumes (volume "v")',
    'restricted volume types (volume "v" uses restricted volume type "hostPath")',
  ],
  [
    'two host paths',
    pod({
      volumes: [
        { name: 'v', hostPath: { path: '/' } },
        { name: 'w', hostPath: { path: '/' } },
      ],
    }),
    'hostPath volumes (volumes "v", "w")',
    'restricted volume types (volumes "v", "w" use restricted volume type "hostPath")',
  ],
  [
    'volumes of the network',
    pod({
      volumes: [
        { name: 'v', nfs: { server: 's', path: '/' } },
        { name: 'w', rbd: { monitors: ['m'], image: 'i' } },
      ],
    }),
    '',
    'restricted volume types (volumes "v", "w" use restricted volume types "nfs", "rbd")',
  ],
  ...['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'persistentVolumeClaim', 'projected', 'secret'].map(
    (type): Case => [`a volume of type ${type}`, pod({ volumes: [{ name: 'v', [type]: {} }] }), ''],
  ),
  [
    'a host port',
    pod({ containers: [container({}, { ports: [{ containerPort: 1, hostPort: 80 }] })] }),
    'hostPort (container "a" uses hostPort 80)',
  ],
  [
    'host ports of two containers',
    pod({
      containers: [
        container({}, { ports: [{ containerPort: 1, hostPort: 80 }] }),
        container({}, { name: 'b', ports: [{ containerPort: 1, hostPort: 81 }] }),
      ],
    }),
    'hostPort (containers "a", "b" use hostPorts 80, 81)',
  ],
  ['a port of its own', pod({ containers: [container({}, { ports: [{ containerPort: 80 }] })] }), ''],
  [
    'a privileged container',
    pod({ containers: [container({ privileged: true })] }),
    'privileged (container "a" must not set securityContext.privileged=true)',
  ],
  [
    'privileged init and ephemeral containers',
    pod({
      initContainers: [container({ privileged: true }, { name: 'i' })],
      ephemeralContainers: [container({ privileged: true }, { name: 'e' })],
    }),
    'privileged (containers "i", "e" must not set securityContext.privileged=true)',
  ],
  ['a container that says it is not privileged', pod({ containers: [container({ privileged: false })] }), ''],
  [
    'added capabilities',
    pod({ containers: [container({ capabilities: { drop: ['ALL'], add: ['SYS_ADMIN', 'NET_ADMIN'] } })] }),
    'non-default capabilities (container "a" must not include "NET_ADMIN", "SYS_ADMIN" in securityContext.capabilities.add)',
    'unrestricted capabilities (container "a" must not include "NET_ADMIN", "SYS_ADMIN" in securityContext.capabilities.add)',
  ],
  [
    'a capability that runtimes give anyway',
    pod({ containers: [container({ capabilities: { drop: ['ALL'], add: ['CHOWN'] } })] }),
    '',
    'unrestricted capabilities (container "a" must not include "CHOWN" in securityContext.capabilities.add)',
  ],
  [
    'the one capability that is always allowed',
    pod({ containers: [container({ capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } })] }),
    '',
  ],
  [
    'capabilities kept',
    pod({ containers: [container({ capabilities: {} })] }),
    '',
    'unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"])',
  ],
  [
    'capabilities kept and added',
    pod({ containers: [container({ capabilities: { add: ['CHOWN'] } })] }),
    '',
    'unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"]; container "a" must not include "CHOWN" in securityContext.capabilities.add)',
  ],
  [
    'an unmasked /proc',
    pod({ containers: [container({ procMount: 'Unmasked' })] }),
    'procMount (container "a" must not set securityContext.procMount to "Unmasked")',
  ],
  ['the default /proc', pod({ containers: [container({ procMount: 'Default' })] }), ''],
  [
    'an SELinux type of its own on the pod',
    pod({}, { seLinuxOptions: { type: 'custom' } }),
    'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "custom")',
  ],
  [
    'an SELinux user and role',
    pod({ containers: [container({ seLinuxOptions: { user: 'u', role: 'r' } })] }),
    'seLinuxOptions (container "a" set forbidden securityContext.seLinuxOptions: user may not be set; role may not be set)',
  ],
  [
    'SELinux everywhere',
    pod({ containers: [container({ seLinuxOptions: { type: 'y' } })] }, { seLinuxOptions: { type: 'x', user: 'u' } }),
    'seLinuxOptions (pod and container "a" set forbidden securityContext.seLinuxOptions: types "x", "y"; user may not be set)',
  ],
  ['an SELinux type for containers', pod({}, { seLinuxOptions: { type: 'container_t', level: 's0' } }), ''],
  [
    'no seccomp on the pod',
    pod({}, { seccompProfile: { type: 'Unconfined' } }),
    'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
  [
    'no seccomp on a container',
    pod({ containers: [container({ seccompProfile: { type: 'Unconfined' } })] }),
    'seccompProfile (container "a" must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
  [
    'seccomp left to the node',
    { containers: [container()], securityContext: { runAsNonRoot: true } },
    '',
    'seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  ],
  [
    'seccomp by the containers alone',
    {
      containers: [container({ seccompProfile: { type: 'Localhost', localhostProfile: 'p' } })],
      securityContext: { runAsNonRoot: true },
    },
    '',
  ],
  [
    'a sysctl of the node',
    pod({}, { sysctls: [{ name: 'kernel.msgmax', value: '1' }] }),
    'forbidden sysctls (kernel.msgmax)',
  ],
  ['a sysctl of the pod', pod({}, { sysctls: [{ name: 'net.ipv4.tcp_syncookies', value: '1' }] }), ''],
  [
    'a host process on Windows',
    pod(
      { containers: [container({ windowsOptions: { hostProcess: true } })] },
      { windowsOptions: { hostProcess: true } },
    ),
    'hostProcess (pod and container "a" must not set securityContext.windowsOptions.hostProcess=true)',
  ],
  [
    'escalation left open',
    pod({ containers: [{ name: 'a', image: 'i', securityContext: { capabilities: { drop: ['ALL'] } } }] }),
    '',
    'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false)',
  ],
  [
    'a user left open',
    { containers: [container()], securityContext: { seccompProfile: { type: 'RuntimeDefault' } } },
    '',
    'runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)',
  ],
  [
    'a container that may be root',
    pod({ containers: [container({ runAsNonRoot: false })] }),
    '',
    'runAsNonRoot != true (container "a" must not set securityContext.runAsNonRoot=false)',
  ],
  [
    'a pod that may be root',
    pod({}, { runAsNonRoot: false }),
    '',
    'runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)',
  ],
  [
    'a container that says it is not root where the pod is silent',
    {
      containers: [container({ runAsNonRoot: true })],
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    },
    '',
  ],
  [
    'root by number',
    pod({ containers: [container({ runAsUser: 0 })] }, { runAsUser: 0 }),
    '',
    'runAsUser=0 (pod and container "a" must not set runAsUser=0)',
  ],
  ['another user by number', pod({}, { runAsUser: 1000 }), ''],
  [
    'what a plain pod does',
    { containers: [{ name: 'a', image: 'i' }] },
    '',
    'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false), ' +
      'unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"]), ' +
      'runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true), ' +
      'seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  ],
];

describe('a policy of the latest version', () => {
  const cases = CASES.map(([what, spec, baseline, restricted = baseline]) => ({ what, spec, baseline, restricted }));

  it.each(cases)('about $what', ({ spec, baseline, restricted }) => {
    expect(told('baseline', 'latest', spec)).toBe(baseline);
    expect(told('restricted', 'latest', spec)).toBe(restricted);
    expect(told('privileged', 'latest', spec)).toBe('');
  });
});

/** What the restricted level tells of a plain pod, in short, by the release whose rules are meant. */
const BY_VERSION: readonly (readonly [PolicyVersion, Json, string[]])[] = [
  [0, {}, ['runAsNonRoot != true']],
  [7, {}, ['runAsNonRoot != true']],
  [8, {}, ['allowPrivilegeEscalation != false', 'runAsNonRoot != true']],
  [18, {}, ['allowPrivilegeEscalation != false', 'runAsNonRoot != true']],
  [19, {}, ['allowPrivilegeEscalation != false', 'runAsNonRoot != true', 'seccompProfile']],
  [
    22,
    {},
    ['allowPrivilegeEscalation != false', 'unrestricted capabilities', 'runAsNonRoot != true', 'seccompProfile'],
  ],
  [
    24,
    { os: { name: 'windows' } },
    ['allowPrivilegeEscalation != false', 'unrestricted capabilities', 'runAsNonRoot != true', 'seccompProfile'],
  ],
  [25, { os: { name: 'windows' } }, ['runAsNonRoot != true']],
  ['latest', { os: { name: 'windows' } }, ['runAsNonRoot != true']],
  [99, { os: { name: 'windows' } }, ['runAsNonRoot != true']],
  [
    22,
    { securityContext: { runAsNonRoot: true, runAsUser: 0, seccompProfile: { type: 'Localhost' } } },
    ['allowPrivilegeEscalation != false', 'unrestricted capabilities'],
  ],
  [
    23,
    { securityContext: { runAsNonRoot: true, runAsUser: 0, seccompProfile: { type: 'Localhost' } } },
    ['allowPrivilegeEscalation != false', 'unrestricted capabilities', 'runAsUser=0'],
  ],
];

describe('a policy of an older release', () => {
  it.each(BY_VERSION)('1.%s asks what that release asked: %j', (version, more, reasons) => {
    const spec = canonicalise(PodSpec, { containers: [{ name: 'a', image: 'i' }], ...more }).value;
    const found = violationsOf({ level: 'restricted', version }, { annotations: {}, spec }, vocabulary);
    expect(found.map(({ reason }) => reason)).toEqual(reasons);
  });

  it('knows seccomp from annotations', () => {
    const { seccompPod, seccompContainerPrefix } = vocabulary.annotations;
    const annotations = { [seccompPod]: 'unconfined', [`${seccompContainerPrefix}a`]: 'runtime/default' };
    expect(told('baseline', 18, pod(), annotations)).toBe(
      `seccompProfile (forbidden annotation ${seccompPod}="unconfined")`,
    );
    expect(told('baseline', 19, pod(), annotations)).toBe('');
  });
});

it('AppArmor profiles come from annotations at every version', () => {
  const key = `${vocabulary.annotations.appArmorContainerPrefix}a`;
  const text = `forbidden AppArmor profile (${key}="unconfined")`;
  expect(told('baseline', 'latest', pod(), { [key]: 'unconfined' })).toBe(text);
  expect(told('restricted', 0, pod(), { [key]: 'unconfined' })).toBe(text);
  expect(told('baseline', 'latest', pod(), { [key]: 'localhost/mine' })).toBe('');
});
