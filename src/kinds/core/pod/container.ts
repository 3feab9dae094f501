import { bool, int32, string } from '../../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../../schema/schema.ts';
import { EnvFromSource, EnvVar } from './env.ts';
import { defaultPullPolicy } from './image-name.ts';
import { Lifecycle } from './lifecycle.ts';
import { Probe } from './probe.ts';
import { ResourceRequirements } from './resource-requirements.ts';
import { SecurityContext } from './security-context.ts';

export const ContainerPort = struct(
  'core.v1.ContainerPort',
  {
    name: f(
      1,
      string(),
      'Name by which services and probes can refer to the port, unique within the container; at most 15 lower case letters, digits and dashes.',
    ),
    hostPort: f(
      2,
      int32(),
      'Port of the node to map to this port, from 1 to 65535. Limits the pod to nodes where it is free; rarely needed. Unset: not mapped.',
    ),
    containerPort: f(3, int32().required(), 'Number of the port on the address of the pod, from 1 to 65535.'),
    protocol: f(4, string().publishedDefault('TCP').oneOf('SCTP', 'TCP', 'UDP'), 'TCP, UDP or SCTP; TCP by default.'),
    hostIP: f(5, string(), 'Address of the node to bind hostPort to. Unset: all its addresses.'),
  },
  {
    description:
      'A port that a container listens on. Listing it opens nothing by itself; it gives the port a name and can map it to the node.',
  },
);
export type ContainerPort = Infer<typeof ContainerPort>;

export const VolumeDevice = struct(
  'core.v1.VolumeDevice',
  {
    name: f(
      1,
      string().required(),
      'Name of the volume in the pod, which must be a claim or an ephemeral claim with volumeMode Block. Must not be mounted as well.',
    ),
    devicePath: f(
      2,
      string().required(),
      'Path of the device inside the container, unique among its devices and mounts; must not contain "..".',
    ),
  },
  { description: 'Gives a container a volume as a raw block device, without a file system.' },
);
export type VolumeDevice = Infer<typeof VolumeDevice>;

export const VolumeMount = struct(
  'core.v1.VolumeMount',
  {
    name: f(1, string().required(), 'Name of the volume in the pod.'),
    readOnly: f(2, bool(), 'Mounts the volume for reading only. False by default.'),
    mountPath: f(
      3,
      string().required(),
      'Path inside the container where the volume appears, unique within the container.',
    ),
    subPath: f(
      4,
      string(),
      'Path within the volume to mount in place of its root; relative, without "..". Excludes subPathExpr.',
    ),
    mountPropagation: f(
      5,
      string().optional(),
      'Whether later mounts are seen across: None (default), HostToContainer, or Bidirectional (privileged containers only).',
    ),
    subPathExpr: f(
      6,
      string(),
      'Like subPath, with $(NAME) replaced by environment variables of the container. Excludes subPath.',
    ),
  },
  { description: 'Mounts a volume of the pod into the file system of a container.' },
);
export type VolumeMount = Infer<typeof VolumeMount>;

export const Container = struct(
  'core.v1.Container',
  {
    name: f(
      1,
      string().required(),
      'Name of the container, unique among all containers of the pod; a DNS label. Cannot be changed.',
    ),
    image: f(2, string(), 'Image to run, as registry/name:tag or with a digest. Must not be empty.'),
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
      'Ports the container listens on. For information and names: a port that is not listed can be reached all the same.',
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
      'How much processor, memory and so on the container is given (requests) and may use at most (limits).',
    ),
    volumeMounts: f(
      9,
      list(VolumeMount).mergeBy('mountPath'),
      'Volumes of the pod that appear in its file system, and where.',
    ),
    volumeDevices: f(
      21,
      list(VolumeDevice).mergeBy('devicePath'),
      'Volumes of the pod that the container gets as raw block devices.',
    ),
    livenessProbe: f(
      10,
      Probe.optional(),
      'Checks that the container is alive; when it fails the container is restarted. Unset: never for that reason.',
    ),
    readinessProbe: f(
      11,
      Probe.optional(),
      'Checks that the container can serve; while it fails the pod gets no traffic from services. Unset: ready when it runs.',
    ),
    startupProbe: f(
      22,
      Probe.optional(),
      'Checks that the container has started up; the other probes wait for it, and when it fails the container is restarted.',
    ),
    lifecycle: f(
      12,
      Lifecycle.optional(),
      'What to do right after the container has started and before it is stopped.',
    ),
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
    stdinOnce: f(
      17,
      bool(),
      'Closes standard input when the first client that attached leaves, until the container is restarted. Needs stdin.',
    ),
    tty: f(18, bool(), 'Gives the container a terminal; needs stdin. False by default.'),
  },
  {
    description: 'A program to run in a pod, in its own file system made from an image.',
    defaults(container) {
      container.imagePullPolicy ||= defaultPullPolicy(container.image);
    },
  },
);
export type Container = Infer<typeof Container>;
