import { signal } from '@preact/signals';

/** Who is logged in. Kept in memory alone: a page that is loaded anew has forgotten it. */
export interface Session {
  readonly user: string;
  readonly groups: readonly string[];
  /** Undefined: the certificate of the connection says who it is. */
  readonly token: string | undefined;
}

export const session = signal<Session | undefined>(undefined);

/** Why nobody is logged in any more. */
export const farewell = signal('');

export function sessionEnded(): void {
  if (!session.value) return;
  session.value = undefined;
  farewell.value = 'The server does not accept these credentials any more. Log in again.';
}

export function logOut(): void {
  session.value = undefined;
  farewell.value = '';
}
