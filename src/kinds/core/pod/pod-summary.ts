import type { ContainerState, ContainerStatus } from './container-status.ts';
import type { Pod } from './pod.ts';

/** A pod in three words, as people read it in a table: what it is doing, how much of it is ready, how often it fell. */
export interface PodSummary {
  readonly status: string;
  readonly ready: number;
  readonly restarts: number;
  /** When a container last ended before its restart; undefined when none did. */
  readonly lastRestart: string | undefined;
}

/** The first container that explains the pod's state wins: init containers in order, then the others from the last. */
export function summarisePod(pod: Pod): PodSummary {
  const progress = initProgress(pod);
  const started = progress.blocked === undefined ? runProgress(pod) : undefined;
  const seen = [...progress.passed, ...(started ? containersOf(pod) : [])];
  return {
    status: deletionStatus(pod) ?? started?.status ?? progress.blocked ?? '',
    ready: started?.ready ?? 0,
    restarts: countRestarts(started ? containersOf(pod) : progress.passed),
    lastRestart: latestEnd(seen),
  };
}

const containersOf = ({ status }: Pod): readonly ContainerStatus[] => status.containerStatuses ?? [];

function deletionStatus({ metadata, status }: Pod): string | undefined {
  if (!metadata.deletionTimestamp) return undefined;
  return status.reason === 'NodeLost' ? 'Unknown' : 'Terminating';
}

interface InitProgress {
  /** The init containers up to and including the first that has not succeeded. */
  readonly passed: readonly ContainerStatus[];
  /** What that container is doing; undefined when all have succeeded. */
  readonly blocked: string | undefined;
}

function initProgress({ spec, status }: Pod): InitProgress {
  const statuses = status.initContainerStatuses ?? [];
  const at = statuses.findIndex(({ state }) => state.terminated?.exitCode !== 0);
  const first = statuses[at];
  if (!first) return { passed: statuses, blocked: undefined };
  const reason = initReason(first.state) ?? `${at}/${spec.initContainers?.length ?? 0}`;
  return { passed: statuses.slice(0, at + 1), blocked: `Init:${reason}` };
}

function initReason({ waiting, terminated }: ContainerState): string | undefined {
  if (terminated) return endReason(terminated);
  return waiting?.reason && waiting.reason !== 'PodInitializing' ? waiting.reason : undefined;
}

/** Why a container ended: what it said, else the signal, else the code. */
function endReason({ reason, signal, exitCode }: NonNullable<ContainerState['terminated']>): string {
  if (reason) return reason;
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

function runProgress(pod: Pod): { status: string; ready: number } {
  const { status } = pod;
  let summary = status.reason || status.phase || '';
  let ready = 0;
  for (const container of containersOf(pod).toReversed()) {
    const reason = runReason(container.state);
    if (reason) summary = reason;
    else if (container.ready && container.state.running) ready++;
  }
  if (summary === 'Completed' && ready > 0) summary = isReady(pod) ? 'Running' : 'NotReady';
  return { status: summary, ready };
}

function runReason({ waiting, terminated }: ContainerState): string | undefined {
  if (waiting?.reason) return waiting.reason;
  return terminated && endReason(terminated);
}

const isReady = ({ status }: Pod): boolean =>
  status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;

const countRestarts = (containers: readonly ContainerStatus[]): number =>
  containers.reduce((sum, { restartCount }) => sum + restartCount, 0);

/** Times are UTC text of one length, so the greatest text is the latest moment. */
function latestEnd(containers: readonly ContainerStatus[]): string | undefined {
  const ends = containers.map(({ lastState }) => lastState.terminated?.finishedAt ?? '');
  return ends.sort().at(-1) || undefined;
}
