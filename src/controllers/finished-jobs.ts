import type { Job } from '../kinds/batch/job.ts';
import { DueTimes } from './due-times.ts';
import { fromKey, keyOf, type Loop, type LoopPlane, servedKind } from './loop.ts';

const JOBS = { group: 'batch', plural: 'jobs' };

type StoredJob = Job & { readonly kind: string; readonly apiVersion: string };

/** Deletes jobs, with their pods, so many seconds after they ended as they say. */
export const finishedJobs: Loop = {
  name: 'ttl-after-finished',
  account: 'ttl-after-finished-controller',
  workers: 5,
  begin(plane, queue) {
    const due = new DueTimes(plane.runtime, (key) => queue.add(key));
    return {
      watches: [
        {
          ...JOBS,
          mentions: '"ttlSecondsAfterFinished"',
          onSet: (job) => (expiryOf(job as StoredJob) === undefined ? [] : [keyOf(job)]),
          onRemove: (job) => [keyOf(job)],
        },
      ],
      handle: (key) => removeWhenDue(plane, due, key),
      close: () => due.close(),
    };
  },
};

/** When a job is to go; undefined when it has not ended, says nothing about it, or is going already. */
function expiryOf({ metadata, spec, status }: StoredJob): number | undefined {
  const { ttlSecondsAfterFinished: seconds } = spec;
  if (typeof seconds !== 'number' || metadata.deletionTimestamp) return undefined;
  const end = status.conditions?.find(
    (condition) => (condition.type === 'Complete' || condition.type === 'Failed') && condition.status === 'True',
  );
  if (!end) return undefined;
  const ended = Date.parse(end.lastTransitionTime ?? '');
  if (Number.isNaN(ended)) throw new Error('the job does not say when it ended');
  return ended + seconds * 1000;
}

async function removeWhenDue({ known, client, ...plane }: LoopPlane, due: DueTimes, key: string): Promise<void> {
  const { namespace, name } = fromKey(key);
  const isDue = (job: StoredJob): boolean => {
    const expiry = expiryOf(job);
    if (expiry === undefined) return false;
    const isOver = expiry <= plane.runtime.now();
    if (!isOver) due.set(key, expiry);
    return isOver;
  };
  const seen = known.get<StoredJob>(JOBS, namespace, name);
  due.forget(key);
  if (!seen || !isDue(seen)) return;
  const target = { kind: servedKind({ known, client, ...plane }, JOBS), namespace, name };
  // It may have been told to stay a moment ago, which is not known here yet.
  const job = await client.find<StoredJob>(target);
  if (!job || !isDue(job)) return;
  const { uid = '', resourceVersion = '' } = job.metadata;
  await client.deleteIfThere(target, { preconditions: { uid, resourceVersion }, propagationPolicy: 'Foreground' });
}
