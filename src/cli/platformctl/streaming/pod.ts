import type { AnyObject } from '../../../client/plane-client.ts';
import type { ServedKind } from '../../../client/served-kind.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { CommandError } from '../frame/failure.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';

export interface Container {
  readonly name: string;
  readonly stdin?: boolean;
  readonly tty?: boolean;
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
}

/** As much of a pod as these commands look at. */
export interface Pod extends AnyObject {
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly ephemeralContainers?: readonly Container[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly { readonly restartCount?: number }[];
  };
}

export const POD_KIND: ServedKind = {
  ...{ group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true },
  verbs: ['get', 'list'],
};

/** All containers, in the order in which they are started. */
export const allContainers = ({ spec }: Pod): readonly Container[] => [
  ...(spec.initContainers ?? []),
  ...spec.containers,
  ...(spec.ephemeralContainers ?? []),
];

/**
 * The container that is meant: the named one, the one that an annotation names, or the first, which is told where there
 * are others.
 */
export async function chosenContainer(pod: Pod, named: string, session: Session, quiet = false): Promise<Container> {
  const containers = allContainers(pod);
  const { name: podName, annotations = {} } = pod.metadata;
  const byName = (name: string | undefined): Container | undefined => containers.find((one) => one.name === name);
  if (named !== '') {
    const found = byName(named);
    if (!found) throw new CommandError(`container ${named} is not valid for pod ${podName}`);
    return found;
  }
  const { annotations: names }: Vocabulary = await session.vocabulary();
  const [first] = pod.spec.containers;
  const chosen = byName(annotations[names.defaultContainer]) ?? first;
  if (!chosen) throw new CommandError(`pod ${podName} has no containers`);
  const isTold = annotations[names.defaultContainer] === undefined && containers.length > 1 && !quiet;
  if (isTold) {
    const others = containers.map(({ name }) => name + kindOf(pod, name)).join(', ');
    await write(session.io.stderr, `Defaulted container "${chosen.name}" out of: ${others}\n`);
  }
  return chosen;
}

function kindOf({ spec }: Pod, name: string): string {
  if (spec.initContainers?.some((one) => one.name === name)) return ' (init)';
  return spec.ephemeralContainers?.some((one) => one.name === name) ? ' (ephem)' : '';
}

const PHASES = ['Running', 'Unknown', 'Pending'];

const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;

const restarts = ({ status }: Pod): number =>
  Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount = 0 }) => restartCount));

/** Those that are most worth looking at come first: on a node, running, ready, restarted most often, youngest. */
export function byInterest(one: Pod, other: Pod): number {
  const rank = ({ status }: Pod): number =>
    (PHASES.indexOf(status?.phase ?? '') + PHASES.length + 1) % (PHASES.length + 1);
  const created = ({ metadata }: Pod): string => metadata.creationTimestamp ?? '';
  return (
    Number(Boolean(other.spec.nodeName)) - Number(Boolean(one.spec.nodeName)) ||
    rank(one) - rank(other) ||
    Number(isReady(other)) - Number(isReady(one)) ||
    restarts(other) - restarts(one) ||
    Number(created(one) < created(other)) - Number(created(one) > created(other))
  );
}
