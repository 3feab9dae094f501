import { duration, list, size } from './flag.ts';

/** How far back the past can be read, and what it may take. */
export const HISTORY_FLAGS = {
  historyRetention: duration('history-retention', 300_000, 'how long superseded versions can be watched and listed'),
  historyRetentionFor: list(
    'history-retention-for',
    'RESOURCE=DURATION,...',
    [],
    'kinds whose versions are remembered for longer, to be shown, compared and restored; such as deployments.apps=24h',
  ),
  historyMemory: size(
    'history-memory',
    64 * 2 ** 20,
    'how much memory superseded versions may take; beyond it lmdb has them on disk, memory and etcd forget them early',
  ),
} as const;
