import { isRefusal } from '../../../client/plane-client.ts';
import type { Pod } from '../../../kinds/core/pod/pod.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import type { Plane } from '../describe/plane.ts';

export interface DrainFlags {
  readonly force: boolean;
  readonly ignoreDaemonsets: boolean;
  readonly deleteEmptydirData: boolean;
  readonly podSelector: string | undefined;
  /** Seconds; pods that are being deleted for longer are not waited for. 0 for none. */
  readonly skipWaitForDeleteTimeout: number;
}

/** What is to be done with the pods of a node. */
export interface EvictionPlan {
  readonly evicted: readonly Pod[];
  /** Told before anything is done. */
  readonly warning: string;
  /** Why nothing may be done. */
  readonly problems: readonly string[];
}

/** What a pod asks for: to be evicted, to be left alone, or somebody's decision. */
type Verdict =
  | { readonly evict: true; readonly warning?: string }
  | { readonly evict: false; readonly warning?: string; readonly problem?: string };

const EVICT: Verdict = { evict: true };

export async function planEvictions(
  plane: Plane,
  node: string,
  flags: DrainFlags,
  vocabulary: Vocabulary,
  now: number,
): Promise<EvictionPlan> {
  const pods = await plane.list<Pod>('', 'pods', '', {
    fieldSelector: `spec.nodeName=${node}`,
    ...(flags.podSelector === undefined ? {} : { labelSelector: flags.podSelector }),
  });
  const evicted: Pod[] = [];
  const warnings = new Map<string, string[]>();
  const problems = new Map<string, string[]>();
  const note = (notes: Map<string, string[]>, text: string, { metadata }: Pod): void => {
    notes.set(text, [...(notes.get(text) ?? []), `${metadata.namespace}/${metadata.name}`]);
  };
  for (const pod of pods) {
    const verdict = await verdictOn(plane, pod, flags, vocabulary, now);
    if (verdict.evict) evicted.push(pod);
    if (verdict.warning) note(warnings, verdict.warning, pod);
    if (!verdict.evict && verdict.problem) note(problems, verdict.problem, pod);
  }
  const listed = (notes: Map<string, string[]>): string[] =>
    [...notes].map(([text, names]) => `${text}: ${names.join(', ')}`);
  return {
    evicted,
    warning: listed(warnings).join('; '),
    problems: listed(problems).map((text) => `cannot delete ${text}`),
  };
}

async function verdictOn(
  plane: Plane,
  pod: Pod,
  flags: DrainFlags,
  { annotations }: Vocabulary,
  now: number,
): Promise<Verdict> {
  const { metadata, spec, status } = pod;
  const isOver = status.phase === 'Succeeded' || status.phase === 'Failed';
  const controller = metadata.ownerReferences?.find((owner) => owner.controller);
  if (controller?.kind === 'DaemonSet' && !isOver) return daemonVerdict(plane, pod, controller.name, flags);
  if (metadata.annotations?.[annotations.configMirror] !== undefined) return { evict: false };
  const isLocal = (spec.volumes ?? []).some(({ emptyDir }) => emptyDir);
  if (isLocal && !isOver && !flags.deleteEmptydirData) {
    return { evict: false, problem: 'Pods with local storage (use --delete-emptydir-data to override)' };
  }
  if (!controller && !isOver) {
    if (!flags.force) {
      return { evict: false, problem: 'cannot delete Pods that declare no controller (use --force to override)' };
    }
    return { evict: true, warning: 'deleting Pods that declare no controller' };
  }
  const deletedAt = metadata.deletionTimestamp;
  const patience = flags.skipWaitForDeleteTimeout * 1000;
  if (patience > 0 && deletedAt && now - Date.parse(deletedAt) > patience) return { evict: false };
  return EVICT;
}

/** Pods of a daemon set would be there again at once. */
async function daemonVerdict(plane: Plane, pod: Pod, name: string, flags: DrainFlags): Promise<Verdict> {
  try {
    await plane.get('apps', 'daemonsets', pod.metadata.namespace ?? '', name);
  } catch (error) {
    if (!isRefusal(error, 'NotFound')) throw error;
    return flags.force ? { evict: true, warning: error.message } : { evict: false, problem: error.message };
  }
  if (flags.ignoreDaemonsets) return { evict: false, warning: 'ignoring DaemonSet-managed Pods' };
  return { evict: false, problem: 'DaemonSet-managed Pods (use --ignore-daemonsets to ignore)' };
}
