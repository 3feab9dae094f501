import { type Json, listAt, textAt } from '../api/json.ts';
import type { Session } from './session.ts';

/** Who requests are taken to be from, with a token or with the certificate of the connection; undefined: nobody. */
export async function whoIs(token: string | undefined): Promise<Session | undefined> {
  const answer = await fetch('/console/who', {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    credentials: token === undefined ? 'same-origin' : 'omit',
    cache: 'no-store',
  });
  if (!answer.ok) throw new Error((await answer.text()).trim() || `the server answered ${answer.status}`);
  const known: Json = await answer.json();
  const user = textAt(known, 'user');
  return user === '' ? undefined : { user, groups: listAt(known, 'groups').map(String), token };
}

/** The token for a code that the server printed when it started. */
export async function exchangeCode(code: string): Promise<string> {
  const answer = await fetch('/console/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
    credentials: 'omit',
  });
  if (!answer.ok)
    throw new Error('This link was used already, or its time is over. Start the server again for another.');
  const granted: Json = await answer.json();
  return textAt(granted, 'token');
}
