import { bool, string } from '../../schema/scalars.ts';
import { f, type Infer, inline, list, struct } from '../../schema/schema.ts';
import { ContainerPort, VolumeDevice, VolumeMount } from './container.ts';
import { EnvFromSource, EnvVar } from './env.ts';
import { defaultPullPolicy } from './image-name.ts';
import { Lifecycle } from './lifecycle.ts';
import { Probe } from './probe.ts';
import { ResourceRequirements } from './resource-requirements.ts';
import { SecurityContext } from './security-context.ts';

export const EphemeralContainerCommon = struct(
  'core.v1.EphemeralContainerCommon',
  {
    name: f(1, string().required()),
    image: f(2, string()),
    command: f(3, list(string())),
    args: f(4, list(string())),
    workingDir: f(5, string()),
    ports: f(6, list(ContainerPort).mapBy('containerPort', 'protocol').mergeBy('containerPort')),
    envFrom: f(19, list(EnvFromSource)),
    env: f(7, list(EnvVar).mergeBy('name')),
    resources: f(8, ResourceRequirements),
    volumeMounts: f(9, list(VolumeMount).mergeBy('mountPath')),
    volumeDevices: f(21, list(VolumeDevice).mergeBy('devicePath')),
    livenessProbe: f(10, Probe.optional()),
    readinessProbe: f(11, Probe.optional()),
    startupProbe: f(22, Probe.optional()),
    lifecycle: f(12, Lifecycle.optional()),
    terminationMessagePath: f(13, string().default('/dev/termination-log')),
    terminationMessagePolicy: f(20, string().oneOf('FallbackToLogsOnError', 'File').default('File')),
    imagePullPolicy: f(14, string().oneOf('Always', 'IfNotPresent', 'Never')),
    securityContext: f(15, SecurityContext.optional()),
    stdin: f(16, bool()),
    stdinOnce: f(17, bool()),
    tty: f(18, bool()),
  },
  {
    defaults(container) {
      container.imagePullPolicy ||= defaultPullPolicy(container.image);
    },
  },
);
export type EphemeralContainerCommon = Infer<typeof EphemeralContainerCommon>;

export const EphemeralContainer = struct('core.v1.EphemeralContainer', {
  ephemeralContainerCommon: inline(1, EphemeralContainerCommon),
  targetContainerName: f(2, string()),
});
export type EphemeralContainer = Infer<typeof EphemeralContainer>;
