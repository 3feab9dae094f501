import { bool, int32, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, struct } from '../../../schema/schema.ts';

export const ContainerStateWaiting = struct(
  'core.v1.ContainerStateWaiting',
  {
    reason: f(1, string(), 'Why it waits, in one word for programs, such as ImagePullBackOff or CrashLoopBackOff.'),
    message: f(2, string(), 'Why it waits, for people.'),
  },
  { description: 'A container that does not run yet: its image is being pulled, or it waits for its next start.' },
);
export type ContainerStateWaiting = Infer<typeof ContainerStateWaiting>;

export const ContainerStateRunning = struct(
  'core.v1.ContainerStateRunning',
  {
    startedAt: f(1, time(), 'When the container was started, or started again, the last time.'),
  },
  { description: 'A container that runs.' },
);
export type ContainerStateRunning = Infer<typeof ContainerStateRunning>;

export const ContainerStateTerminated = struct(
  'core.v1.ContainerStateTerminated',
  {
    exitCode: f(1, int32().required(), 'Exit code of its process; 0 means success.'),
    signal: f(2, int32(), 'Number of the signal that ended it, if one did.'),
    reason: f(3, string(), 'Why it ended, in one word for programs, such as Completed, Error or OOMKilled.'),
    message: f(4, string(), 'Why it ended, for people: what it wrote to its termination message file.'),
    startedAt: f(5, time(), 'When this run of the container started.'),
    finishedAt: f(6, time(), 'When this run of the container ended.'),
    containerID: f(7, string(), 'Id of the ended container at the runtime, as type://id.'),
  },
  { description: 'A container that has ended.' },
);
export type ContainerStateTerminated = Infer<typeof ContainerStateTerminated>;

export const ContainerState = struct(
  'core.v1.ContainerState',
  {
    waiting: f(1, ContainerStateWaiting.optional(), 'Set while the container does not run yet.'),
    running: f(2, ContainerStateRunning.optional(), 'Set while the container runs.'),
    terminated: f(3, ContainerStateTerminated.optional(), 'Set once the container has ended.'),
  },
  { description: 'State of a container. One field at most is set; none means that the container waits.' },
);
export type ContainerState = Infer<typeof ContainerState>;

export const ContainerStatus = struct(
  'core.v1.ContainerStatus',
  {
    name: f(1, string().required(), 'Name of the container, as in the spec of the pod.'),
    state: f(2, ContainerState, 'What the container does now.'),
    lastState: f(3, ContainerState, 'How its previous run ended; empty if it was never started again.'),
    ready: f(
      4,
      bool().required(),
      'True while the container passes its readiness probe; without a probe, while it runs. An init container is ready once it has succeeded.',
    ),
    restartCount: f(
      5,
      int32().required(),
      'How often the container has been started again. May lag when old containers are cleaned away.',
    ),
    image: f(6, string().required(), 'Image that the container runs, as the runtime names it.'),
    imageID: f(7, string().required(), 'Id of the image, usually with its digest; tells which build a tag stood for.'),
    containerID: f(8, string(), 'Id of the container at the runtime, as type://id.'),
    started: f(
      9,
      bool().optional(),
      'True once the startup probe has succeeded, or the container runs without one. False again after each new start; null means unknown.',
    ),
  },
  { description: 'State of one container of a pod, as its node reports it.' },
);
export type ContainerStatus = Infer<typeof ContainerStatus>;
