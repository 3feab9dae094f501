import { SERVER_USER } from '../api/user.ts';
import type { Deadline } from '../runtime/deadline.ts';
import { recut } from './restamped.ts';
import type { WriteParts } from './write.ts';

/** A version of an object whose time is over. */
export interface Expired {
  readonly key: string;
  readonly revision: number;
}

/**
 * Removes an object as a store does that forgets by itself: watchers are told, but nobody is asked, and no finalizer holds
 * it. What has become another version meanwhile is left alone.
 */
export async function expire({ log, encoder }: WriteParts, { key, revision }: Expired, term?: Deadline): Promise<void> {
  const current = log.get(key);
  if (current?.revision !== revision) return;
  term?.beginChange();
  const value = recut(encoder, current.bytes);
  await log.commit({ key, expected: revision, value, delete: true, caller: SERVER_USER.name, background: true });
}
