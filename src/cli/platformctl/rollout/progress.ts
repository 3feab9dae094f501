import type { DaemonSet } from '../../../kinds/apps/daemon-set.ts';
import type { Deployment } from '../../../kinds/apps/deployment.ts';
import type { StatefulSet } from '../../../kinds/apps/stateful-set.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { CommandError } from '../frame/failure.ts';

/** How far a rollout is. */
export interface RolloutProgress {
  readonly text: string;
  readonly isDone: boolean;
}

const waiting = (text: string): RolloutProgress => ({ text, isDone: false });
const done = (text: string): RolloutProgress => ({ text, isDone: true });

const ONLY_ROLLING = 'rollout status is only available for RollingUpdate strategy type';

/** `revision` is the one that is asked for; 0 for whichever there is. */
export function deploymentProgress(
  { metadata, spec, status }: Deployment,
  revision: number,
  { annotations }: Vocabulary,
): RolloutProgress {
  const { name } = metadata;
  const running = Number(metadata.annotations?.[annotations.deploymentRevision] ?? 0);
  if (revision > 0 && revision !== running) {
    throw new CommandError(`desired revision (${revision}) is different from the running revision (${running})`);
  }
  if ((metadata.generation ?? 0) > (status.observedGeneration ?? 0)) {
    return waiting('Waiting for deployment spec update to be observed...');
  }
  const progressing = (status.conditions ?? []).find(({ type }) => type === 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded') {
    throw new CommandError(`deployment "${name}" exceeded its progress deadline`);
  }
  const { replicas: wanted = 0 } = spec;
  const { replicas = 0, updatedReplicas: updated = 0, availableReplicas: available = 0 } = status;
  const toFinish = `Waiting for deployment "${name}" rollout to finish:`;
  if (updated < wanted) return waiting(`${toFinish} ${updated} out of ${wanted} new replicas have been updated...`);
  if (replicas > updated) return waiting(`${toFinish} ${replicas - updated} old replicas are pending termination...`);
  if (available < updated) return waiting(`${toFinish} ${available} of ${updated} updated replicas are available...`);
  return done(`deployment "${name}" successfully rolled out`);
}

export function daemonSetProgress({ metadata, spec, status }: DaemonSet): RolloutProgress {
  if (spec.updateStrategy.type !== 'RollingUpdate') throw new CommandError(ONLY_ROLLING);
  if ((metadata.generation ?? 0) > (status.observedGeneration ?? 0)) {
    return waiting('Waiting for daemon set spec update to be observed...');
  }
  const {
    desiredNumberScheduled: wanted,
    updatedNumberScheduled: updated = 0,
    numberAvailable: available = 0,
  } = status;
  const toFinish = `Waiting for daemon set "${metadata.name}" rollout to finish:`;
  if (updated < wanted) return waiting(`${toFinish} ${updated} out of ${wanted} new pods have been updated...`);
  if (available < wanted) return waiting(`${toFinish} ${available} of ${wanted} updated pods are available...`);
  return done(`daemon set "${metadata.name}" successfully rolled out`);
}

export function statefulSetProgress({ metadata, spec, status }: StatefulSet): RolloutProgress {
  if (spec.updateStrategy.type !== 'RollingUpdate') throw new CommandError(ONLY_ROLLING);
  const { observedGeneration: observed = 0 } = status;
  if (observed === 0 || (metadata.generation ?? 0) > observed) {
    return waiting('Waiting for statefulset spec update to be observed...');
  }
  const { replicas: wanted } = spec;
  const ready = status.readyReplicas ?? 0;
  if (wanted !== undefined && ready < wanted) return waiting(`Waiting for ${wanted - ready} pods to be ready...`);
  const updated = status.updatedReplicas ?? 0;
  const partition = spec.updateStrategy.rollingUpdate?.partition;
  if (wanted !== undefined && partition !== undefined) {
    const due = wanted - partition;
    if (updated < due) {
      return waiting(
        `Waiting for partitioned roll out to finish: ${updated} out of ${due} new pods have been updated...`,
      );
    }
    return done(`partitioned roll out complete: ${updated} new pods have been updated...`);
  }
  const { updateRevision = '', currentRevision = '' } = status;
  if (updateRevision !== currentRevision) {
    return waiting(
      `waiting for statefulset rolling update to complete ${updated} pods at revision ${updateRevision}...`,
    );
  }
  const current = status.currentReplicas ?? 0;
  return done(`statefulset rolling update complete ${current} pods at revision ${currentRevision}...`);
}
