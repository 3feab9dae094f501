import { PodStreams } from '../../../client/streams/pod-streams.ts';
import type { Session } from '../frame/session.ts';

/** Streams of pods, as whoever a session is for. */
export async function podStreams(session: Session): Promise<PodStreams> {
  const [transport, identity] = [await session.transport(), await session.identity()];
  return new PodStreams(
    transport.openAs(identity),
    transport.dialAs(identity),
    await session.vocabulary(),
    session.runtime,
  );
}
