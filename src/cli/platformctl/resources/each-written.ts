import { throwFailures } from '../frame/failure.ts';
import { Progress } from '../frame/progress.ts';
import type { Session } from '../frame/session.ts';
import { sideBySide } from '../frame/side-by-side.ts';
import type { OutputFlags } from '../print/output-flags.ts';
import { printOutcome } from '../print/print-objects.ts';
import type { KeyOrder, Printable } from '../print/printable.ts';
import type { SelectedObject } from './selection.ts';

/** What became of an object. */
export interface Written {
  readonly object: Printable;
  /** Such as `created`. */
  readonly done: string;
  /** Where fields of JSON stand; sorted where it is absent. */
  readonly keys?: KeyOrder;
}

/** Requests under way at the same time. */
const AT_ONCE = 8;
/** Fewer are done before anybody could look. */
const WORTH_PROGRESS = 20;

/**
 * Kinds that the plane checks nothing else against, so that it does not matter which of several objects comes first. Others,
 * such as namespaces, accounts and roles, have to be there before what comes after them.
 */
const INDEPENDENT: ReadonlySet<string> = new Set([
  'ConfigMap',
  'CronJob',
  'DaemonSet',
  'Deployment',
  'Endpoints',
  'HorizontalPodAutoscaler',
  'Ingress',
  'Job',
  'NetworkPolicy',
  'PersistentVolumeClaim',
  'PodDisruptionBudget',
  'ReplicaSet',
  'Secret',
  'Service',
  'StatefulSet',
]);

/** Consecutive objects that may be written in any order. */
export function batchesOf(objects: readonly SelectedObject[]): SelectedObject[][] {
  const batches: SelectedObject[][] = [];
  let names = new Set<string>();
  for (const object of objects) {
    const { resource, namespace, name } = object;
    const last = batches.at(-1);
    const before = last?.at(-1)?.resource;
    const key = `${resource.group}/${resource.plural}/${namespace}/${name}`;
    const fits = before === resource || (before && INDEPENDENT.has(before.kind) && INDEPENDENT.has(resource.kind));
    if (last && fits && !names.has(key)) last.push(object);
    else {
      batches.push([object]);
      names = new Set();
    }
    names.add(key);
  }
  return batches;
}

/**
 * Does something with each object, as much of it side by side as order allows, and prints what became of each in the order
 * of the objects. What fails is told at the end, all of it.
 */
export async function eachWritten(
  session: Session,
  objects: readonly SelectedObject[],
  flags: OutputFlags,
  what: string,
  work: (object: SelectedObject) => Promise<Written | undefined>,
): Promise<Written[]> {
  const { io, runtime } = session;
  const progress =
    objects.length < WORTH_PROGRESS
      ? undefined
      : new Progress({ io, now: () => runtime.monotonic(), what, total: objects.length });
  const failures: unknown[] = [];
  const written: Written[] = [];
  for (const batch of batchesOf(objects)) {
    for await (const outcome of sideBySide(batch, AT_ONCE, work)) {
      if ('failure' in outcome) failures.push(outcome.failure);
      else if (outcome.value) {
        if (io.stdout.isTTY) await progress?.clear();
        const { object, done, keys = 'sorted' } = outcome.value;
        await printOutcome(session, object, done, flags, { keys, count: written.length });
        written.push(outcome.value);
      }
      await progress?.step();
    }
  }
  await progress?.clear();
  throwFailures(failures);
  return written;
}
