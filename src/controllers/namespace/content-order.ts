import type { ServedKind } from '../../client/served-kind.ts';
import type { LoopPlane } from '../loop.ts';

/** Kinds that go at the same time. */
export interface Stage {
  readonly kinds: readonly ServedKind[];
  /** When it begins: at once, when all before it has gone, or when that is also known to be all. */
  readonly begins: 'at once' | 'after' | 'last';
}

/** What pods, and those who clean up after other objects, are given to work with. */
const NEEDED: ReadonlySet<string> = new Set(['configmaps', 'secrets', 'persistentvolumeclaims', 'serviceaccounts']);

export const isPods = ({ group, plural }: ServedKind): boolean => group === '' && plural === 'pods';

/**
 * What lives in namespaces and can be deleted, in the order in which it goes. Pods come first, and the rest waits for them:
 * as long as they run they have what they mount, and network policies hold. What others were made with comes after
 * them. Rights come last, when nothing else is left: those who still clean up may need them.
 */
export function contentStages({ kinds, vocabulary }: LoopPlane): Stage[] {
  const stages: ServedKind[][] = [[], [], [], []];
  for (const kind of kinds.all()) {
    if (!kind.namespaced || !kind.verbs.includes('delete') || !kind.verbs.includes('list')) continue;
    stages[stageOf(kind, vocabulary.groups.rbac)]?.push(kind);
  }
  const [pods = [], others = [], needed = [], rights = []] = stages;
  return [
    { kinds: pods, begins: 'at once' },
    { kinds: others, begins: 'after' },
    { kinds: needed, begins: 'at once' },
    { kinds: rights, begins: 'last' },
  ];
}

function stageOf(kind: ServedKind, rbac: string): number {
  if (isPods(kind)) return 0;
  if (kind.group === rbac) return 3;
  return kind.group === '' && NEEDED.has(kind.plural) ? 2 : 1;
}
