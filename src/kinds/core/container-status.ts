import { bool, int32, string, time } from '../../schema/scalars.ts';
import { f, type Infer, struct } from '../../schema/schema.ts';

export const ContainerStateWaiting = struct('core.v1.ContainerStateWaiting', {
  reason: f(1, string()),
  message: f(2, string()),
});
export type ContainerStateWaiting = Infer<typeof ContainerStateWaiting>;

export const ContainerStateRunning = struct('core.v1.ContainerStateRunning', {
  startedAt: f(1, time()),
});
export type ContainerStateRunning = Infer<typeof ContainerStateRunning>;

export const ContainerStateTerminated = struct('core.v1.ContainerStateTerminated', {
  exitCode: f(1, int32().required()),
  signal: f(2, int32()),
  reason: f(3, string()),
  message: f(4, string()),
  startedAt: f(5, time()),
  finishedAt: f(6, time()),
  containerID: f(7, string()),
});
export type ContainerStateTerminated = Infer<typeof ContainerStateTerminated>;

export const ContainerState = struct('core.v1.ContainerState', {
  waiting: f(1, ContainerStateWaiting.optional()),
  running: f(2, ContainerStateRunning.optional()),
  terminated: f(3, ContainerStateTerminated.optional()),
});
export type ContainerState = Infer<typeof ContainerState>;

export const ContainerStatus = struct('core.v1.ContainerStatus', {
  name: f(1, string().required()),
  state: f(2, ContainerState),
  lastState: f(3, ContainerState),
  ready: f(4, bool().required()),
  restartCount: f(5, int32().required()),
  image: f(6, string().required()),
  imageID: f(7, string().required()),
  containerID: f(8, string()),
  started: f(9, bool().optional()),
});
export type ContainerStatus = Infer<typeof ContainerStatus>;
