import { type AnyObject, Pod } from '../../client/index.ts';
import { conditionStatus } from './matching.ts';
import { type Delay, type Duration, milliseconds, type Stage, type StageCondition, stage } from './stage.ts';

/** What a pod can say of the life that it is to have. */
export const POD_ANNOTATIONS = {
  /** How long its containers run; for ever where pods restart always, and a second where they do not, unless given. */
  runFor: 'testing.platform.io/run-for',
  /** What they end with; 0 unless given. */
  exitCode: 'testing.platform.io/exit-code',
  /** How long they take to end when the pod is deleted; no time unless given, and never longer than the grace period. */
  terminateAfter: 'testing.platform.io/terminate-after',
} as const;

const USUAL_RUN: Duration = '1s';

export interface PodLife {
  /** How long a pod takes to start, once it is on a node. */
  readonly startDelay: Delay;
  /** Whether a node is one of ours. */
  hasNode(name: string): boolean;
  /** Where the nodes are. */
  readonly hostIP: string;
  /** An address that no other pod has. */
  newAddress(): string;
  now(): number;
}

type StoredPod = Pod & AnyObject;
type ContainerState = 'starting' | 'ready' | 'ended';

/** The life of pods on nodes that are no machines. */
export function podStages(life: PodLife): readonly Stage<StoredPod>[] {
  const isOurs = ({ spec }: StoredPod): boolean => life.hasNode(spec.nodeName ?? '');
  const isStaying = (pod: StoredPod): boolean => isOurs(pod) && !pod.metadata.deletionTimestamp;
  const time = (): string => new Date(life.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  return [
    stage<StoredPod>({
      name: 'pod-goes',
      kind: Pod,
      when: { present: ['metadata.deletionTimestamp'], matches: isOurs },
      delay: terminationOf,
      next: { delete: true },
    }),
    stage<StoredPod>({
      name: 'pod-starts',
      kind: Pod,
      when: { fields: { 'status.phase': 'Pending' }, matches: isStaying },
      delay: life.startDelay,
      next: (pod) => started(pod, life, time()),
    }),
    stage<StoredPod>({
      name: 'pod-becomes-ready',
      kind: Pod,
      when: {
        fields: { 'status.phase': 'Running' },
        matches: (pod) => isStaying(pod) && conditionStatus(pod, 'Ready') !== 'True' && areGatesOpen(pod),
      },
      delay: readinessDelay,
      next: (pod) => ({
        status: { containerStatuses: containers(pod, 'ready', time()) },
        conditions: are('True', 'ContainersReady', 'Ready'),
      }),
    }),
    stage<StoredPod>({
      name: 'pod-ends',
      kind: Pod,
      when: { fields: { 'status.phase': 'Running' }, matches: (pod) => isStaying(pod) && runOf(pod) !== undefined },
      delay: (pod) => runOf(pod) ?? 0,
      next: (pod) => ended(pod, time()),
    }),
  ];
}

function started(pod: StoredPod, life: PodLife, time: string) {
  const { hostIP } = life;
  const podIP = pod.spec.hostNetwork ? hostIP : life.newAddress();
  const addresses = { hostIP, podIP, podIPs: [{ ip: podIP }] };
  const containerStatuses = containers(pod, 'starting', time);
  const initContainerStatuses = (pod.spec.initContainers ?? []).map(({ name, image = '' }) => ({
    ...containerStatus(name, image),
    state: { terminated: { exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time } },
    ready: true,
  }));
  return {
    status: { phase: 'Running', startTime: time, ...addresses, containerStatuses, initContainerStatuses },
    conditions: [...are('True', 'PodScheduled', 'Initialized'), ...are('False', 'ContainersReady', 'Ready')],
  };
}

/** Containers that ended badly, or in pods that always restart, run again; the pod is over otherwise. */
function ended(pod: StoredPod, time: string) {
  const isGood = exitCodeOf(pod) === 0;
  const { restartPolicy = 'Always' } = pod.spec;
  const restarts = restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && !isGood);
  const reason = isGood ? 'PodCompleted' : 'ContainersFailed';
  const conditions = are('False', 'ContainersReady', 'Ready').map((condition) => ({ ...condition, reason }));
  if (!restarts) {
    const phase = isGood ? 'Succeeded' : 'Failed';
    return { status: { phase, containerStatuses: containers(pod, 'ended', time) }, conditions };
  }
  const lastState = { terminated: terminated(pod, time) };
  const containerStatuses = containers(pod, 'starting', time).map((status) => ({
    ...status,
    lastState,
    restartCount: status.restartCount + 1,
  }));
  return { status: { containerStatuses }, conditions };
}

const are = (status: 'True' | 'False', ...types: readonly string[]): readonly StageCondition[] =>
  types.map((type) => ({ type, status }));

function containers(pod: StoredPod, state: ContainerState, time: string) {
  return (pod.spec.containers ?? []).map(({ name, image = '' }) => {
    const former = pod.status.containerStatuses?.find((status) => status.name === name);
    const since = (state === 'starting' ? undefined : former?.state?.running?.startedAt) ?? time;
    return {
      ...containerStatus(name, image),
      restartCount: former?.restartCount ?? 0,
      ...(former?.lastState ? { lastState: former.lastState } : {}),
      ready: state === 'ready',
      started: state !== 'ended',
      state: state === 'ended' ? { terminated: terminated(pod, time) } : { running: { startedAt: since } },
    };
  });
}

const containerStatus = (name: string, image: string) => ({
  name,
  image,
  imageID: `stages://${image}`,
  containerID: `stages://${name}`,
  restartCount: 0,
});

function terminated(pod: StoredPod, time: string) {
  const exitCode = exitCodeOf(pod);
  return { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', finishedAt: time };
}

function exitCodeOf(pod: StoredPod): number {
  const code = Number(pod.metadata.annotations?.[POD_ANNOTATIONS.exitCode] ?? '0');
  return Number.isInteger(code) && code >= 0 && code <= 255 ? code : 1;
}

/** How long containers run; undefined where nothing but their deletion ends them. */
function runOf(pod: StoredPod): number | undefined {
  const wanted = pod.metadata.annotations?.[POD_ANNOTATIONS.runFor];
  if (wanted !== undefined) return milliseconds(wanted);
  return (pod.spec.restartPolicy || 'Always') === 'Always' ? undefined : milliseconds(USUAL_RUN);
}

function terminationOf({ metadata }: StoredPod): number {
  const wanted = milliseconds(metadata.annotations?.[POD_ANNOTATIONS.terminateAfter] ?? 0);
  return Math.min(wanted, (metadata.deletionGracePeriodSeconds ?? 0) * 1000);
}

/** Readiness probes succeed the first time that they are asked. */
const readinessDelay = ({ spec }: StoredPod): number =>
  Math.max(0, ...(spec.containers ?? []).map(({ readinessProbe }) => readinessProbe?.initialDelaySeconds ?? 0)) * 1000;

const areGatesOpen = (pod: StoredPod): boolean =>
  (pod.spec.readinessGates ?? []).every(({ conditionType }) => conditionStatus(pod, conditionType) === 'True');
