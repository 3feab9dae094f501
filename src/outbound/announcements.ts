import type { ClientRequest } from 'node:http';

/** Before its answer a service may say that it goes on, or give hints, so often. */
const MOST_ANNOUNCEMENTS = 16;

/** Ends a request whose answer is announced again and again, and would be for as long as one waits. */
export function limitAnnouncements(outgoing: ClientRequest): void {
  let announced = 0;
  outgoing.on('information', () => {
    if (++announced > MOST_ANNOUNCEMENTS) outgoing.destroy(new Error('the answer was announced without end'));
  });
}
