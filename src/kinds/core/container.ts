import { bool, int32, string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';
import { EnvFromSource, EnvVar } from './env.ts';
import { defaultPullPolicy } from './image-name.ts';
import { Lifecycle } from './lifecycle.ts';
import { Probe } from './probe.ts';
import { ResourceRequirements } from './resource-requirements.ts';
import { SecurityContext } from './security-context.ts';

export const ContainerPort = struct('core.v1.ContainerPort', {
  name: f(1, string()),
  hostPort: f(2, int32()),
  containerPort: f(3, int32().required()),
  protocol: f(4, string().publishedDefault('TCP').oneOf('SCTP', 'TCP', 'UDP')),
  hostIP: f(5, string()),
});
export type ContainerPort = Infer<typeof ContainerPort>;

export const VolumeDevice = struct('core.v1.VolumeDevice', {
  name: f(1, string().required()),
  devicePath: f(2, string().required()),
});
export type VolumeDevice = Infer<typeof VolumeDevice>;

export const VolumeMount = struct('core.v1.VolumeMount', {
  name: f(1, string().required()),
  readOnly: f(2, bool()),
  mountPath: f(3, string().required()),
  subPath: f(4, string()),
  mountPropagation: f(5, string().optional()),
  subPathExpr: f(6, string()),
});
export type VolumeMount = Infer<typeof VolumeMount>;

export const Container = struct(
  'core.v1.Container',
  {
    name: f(1, string().required(), 'Unique within the pod.'),
    image: f(2, string(), 'What to run.'),
    command: f(3, list(string()), 'Replaces the entry point of the image.'),
    args: f(4, list(string()), 'Arguments of the command.'),
    workingDir: f(5, string()),
    ports: f(
      6,
      list(ContainerPort).mapBy('containerPort', 'protocol').mergeBy('containerPort'),
      'Ports the container listens on; informative.',
    ),
    envFrom: f(19, list(EnvFromSource), 'Sources whose entries all become variables.'),
    env: f(7, list(EnvVar).mergeBy('name'), 'Environment variables.'),
    resources: f(8, ResourceRequirements, 'What the container needs, and what it may use at most.'),
    volumeMounts: f(9, list(VolumeMount).mergeBy('mountPath'), 'Where volumes appear in its file system.'),
    volumeDevices: f(21, list(VolumeDevice).mergeBy('devicePath')),
    livenessProbe: f(10, Probe.optional(), 'Restarted when this fails.'),
    readinessProbe: f(11, Probe.optional(), 'Gets no traffic while this fails.'),
    startupProbe: f(22, Probe.optional(), 'The other probes wait until this has succeeded.'),
    lifecycle: f(12, Lifecycle.optional(), 'What to do right after the start and before the end.'),
    terminationMessagePath: f(13, string().default('/dev/termination-log')),
    terminationMessagePolicy: f(20, string().oneOf('FallbackToLogsOnError', 'File').default('File')),
    imagePullPolicy: f(14, string().oneOf('Always', 'IfNotPresent', 'Never'), 'When the image is fetched anew.'),
    securityContext: f(15, SecurityContext.optional(), 'Settings of privilege; over those of the pod.'),
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
export type Container = Infer<typeof Container>;
