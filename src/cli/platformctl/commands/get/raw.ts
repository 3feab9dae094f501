import { write } from '../../frame/io.ts';
import type { Session } from '../../frame/session.ts';
import { documentIn } from './fetch.ts';

/** Prints what the plane answers at a path, byte for byte. */
export async function getRaw(session: Session, path: string): Promise<void> {
  const send = await session.send();
  const target = path.startsWith('/') ? path : `/${path}`;
  const answer = await send({ method: 'GET', target, accept: 'application/json, */*' });
  if (answer.status >= 400) documentIn(answer);
  await write(session.io.stdout, answer.body);
}
