import { type AnyObject, type DeletionOptions, isRefusal } from '../../../../client/plane-client.ts';
import { sleep } from '../../../../runtime/runtime.ts';
import { CommandError } from '../../frame/failure.ts';
import type { Session } from '../../frame/session.ts';
import { type ObjectWrites, whileDoing } from '../../resources/object-writes.ts';
import type { SelectedObject } from '../../resources/selection.ts';
import { qualifiedName } from '../../resources/served-resources.ts';
import type { DeletionFlags } from './deletion-flags.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;
/** As long as it takes, within reason. */
const A_WEEK_MS = 7 * 24 * 3_600_000;

/** An object that the plane has been asked to delete; `uid` tells it from one that is made in its place. */
export interface Deletion {
  readonly object: SelectedObject;
  readonly uid: string;
}

export const deletionOptions = ({ cascade, gracePeriod }: DeletionFlags): DeletionOptions => ({
  propagationPolicy: cascade,
  ...(gracePeriod >= 0 ? { gracePeriodSeconds: gracePeriod } : {}),
});

/** Deletes an object. */
export async function deleteObject(
  writes: ObjectWrites,
  object: SelectedObject,
  options: DeletionOptions,
): Promise<Deletion> {
  const { resource: kind, namespace, name, manifest } = object;
  const request = writes.delete({ kind, namespace, name }, options);
  const answer = await (manifest ? request.catch(whileDoing('deleting', manifest.source)) : request);
  return { object, uid: uidIn(answer) };
}

/** Answers are the object, or a status that names it. */
const uidIn = (answer: AnyObject): string =>
  answer.metadata?.uid ?? (answer as { readonly details?: { readonly uid?: string } }).details?.uid ?? '';

/** Waits until objects are gone. Throws when they are not in time. */
export async function untilGone(
  session: Session,
  writes: ObjectWrites,
  deletions: readonly Deletion[],
  timeoutMs: number,
): Promise<void> {
  const end = session.runtime.monotonic() + (timeoutMs === 0 ? A_WEEK_MS : timeoutMs);
  for (const deletion of deletions) await untilOneGone(session, writes, deletion, end);
}

async function untilOneGone(
  session: Session,
  writes: ObjectWrites,
  { object, uid }: Deletion,
  end: number,
): Promise<void> {
  const { resource: kind, namespace, name } = object;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    // Those who may delete something need not be allowed to look at it.
    const found = await writes.find({ kind, namespace, name }).catch((error: unknown) => {
      if (isRefusal(error, 'Forbidden', 'MethodNotAllowed')) return undefined;
      throw error;
    });
    if (!found || (uid !== '' && found.metadata.uid !== uid)) return;
    if (session.io.interrupted.aborted) throw new CommandError('interrupted while waiting for objects to be gone');
    if (session.runtime.monotonic() + pause > end) {
      throw new CommandError(`timed out waiting for the condition on ${qualifiedName(kind)}/${name}`);
    }
    await sleep(session.runtime, pause);
  }
}
