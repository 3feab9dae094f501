import { bool, string } from '../../../schema/scalars.ts';
import { f, type Infer, inline, list, struct } from '../../../schema/schema.ts';
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
    name: f(1, string().required(), 'Name of the container, unique among all containers of the pod; a DNS label.'),
    image: f(2, string(), 'Image to run, as registry/name:tag or with a digest.'),
    command: f(
      3,
      list(string()),
      'Replaces the entry point of the image; run without a shell. $(NAME) stands for a variable of env, $$(NAME) for itself.',
    ),
    args: f(
      4,
      list(string()),
      'Arguments of the command; replace the default command of the image. $(NAME) is expanded as in command.',
    ),
    workingDir: f(5, string(), 'Directory the process starts in. Unset: the one of the image, which may be /.'),
    ports: f(
      6,
      list(ContainerPort).mapBy('containerPort', 'protocol').mergeBy('containerPort'),
      'Must not be set: ephemeral containers have no ports of their own.',
    ),
    envFrom: f(
      19,
      list(EnvFromSource),
      'Config maps and secrets whose entries all become variables. Later ones win over earlier ones, and env over all of them.',
    ),
    env: f(7, list(EnvVar).mergeBy('name'), 'Environment variables to set, by name.'),
    resources: f(
      8,
      ResourceRequirements,
      'Must not be set: ephemeral containers use what is left of the resources of the pod.',
    ),
    volumeMounts: f(
      9,
      list(VolumeMount).mergeBy('mountPath'),
      'Volumes of the pod that appear in its file system, and where. subPath and subPathExpr must not be used.',
    ),
    volumeDevices: f(
      21,
      list(VolumeDevice).mergeBy('devicePath'),
      'Volumes of the pod that the container gets as raw block devices.',
    ),
    livenessProbe: f(10, Probe.optional(), 'Must not be set: ephemeral containers have no probes.'),
    readinessProbe: f(11, Probe.optional(), 'Must not be set: ephemeral containers have no probes.'),
    startupProbe: f(22, Probe.optional(), 'Must not be set: ephemeral containers have no probes.'),
    lifecycle: f(12, Lifecycle.optional(), 'Must not be set: ephemeral containers have no lifecycle hooks.'),
    terminationMessagePath: f(
      13,
      string().default('/dev/termination-log'),
      'File in the container whose contents become the message of its terminated state. /dev/termination-log by default.',
    ),
    terminationMessagePolicy: f(
      20,
      string().oneOf('FallbackToLogsOnError', 'File').default('File'),
      'File (default) takes the message from the file; FallbackToLogsOnError takes the end of the log after a failure if the file is empty.',
    ),
    imagePullPolicy: f(
      14,
      string().oneOf('Always', 'IfNotPresent', 'Never'),
      'Always, IfNotPresent or Never. Unset: Always for the tag latest or no tag, otherwise IfNotPresent.',
    ),
    securityContext: f(
      15,
      SecurityContext.optional(),
      'User, privileges and isolation of the container. What is set here wins over the security context of the pod.',
    ),
    stdin: f(
      16,
      bool(),
      'Keeps a standard input open for those who attach. Unset: reading from it gives end of file at once.',
    ),
    stdinOnce: f(17, bool(), 'Closes standard input when the first client that attached leaves. Needs stdin.'),
    tty: f(18, bool(), 'Gives the container a terminal; needs stdin. False by default.'),
  },
  {
    description:
      'What an ephemeral container has in common with ordinary ones. Some fields exist only to be alike and must not be set.',
    defaults(container) {
      container.imagePullPolicy ||= defaultPullPolicy(container.image);
    },
  },
);
export type EphemeralContainerCommon = Infer<typeof EphemeralContainerCommon>;

export const EphemeralContainer = struct(
  'core.v1.EphemeralContainer',
  {
    ephemeralContainerCommon: inline(1, EphemeralContainerCommon),
    targetContainerName: f(
      2,
      string(),
      'Container of the pod whose process namespace it joins, if the runtime can do so. Unset: the namespaces of the pod.',
    ),
  },
  {
    description:
      'A container added to a running pod to examine it. It is never restarted and cannot be changed or removed.',
  },
);
export type EphemeralContainer = Infer<typeof EphemeralContainer>;
