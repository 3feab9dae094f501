import type { TLSSocket } from 'node:tls';
import { unauthorized } from '../errors.ts';
import type { HttpRequest } from '../http/message.ts';
import { type UserInfo, userNamed } from '../user.ts';
import { type Authenticator, authenticated } from './authenticator.ts';

const listOf = (value: string | string[] | undefined): string[] => (value === undefined ? [] : [value].flat());

/**
 * The certificate the client proved to hold: its common name is the user, its organizations are the groups. The
 * listener has had it checked against the client authorities. Read once per connection.
 */
export class ClientCertificates implements Authenticator {
  private readonly known = new WeakMap<TLSSocket, { readonly user: UserInfo | undefined }>();

  authenticate({ socket }: HttpRequest): UserInfo | undefined {
    if (!socket) return undefined;
    const known = this.known.get(socket);
    if (known) return known.user;
    const user = readUser(socket);
    this.known.set(socket, { user });
    return user;
  }
}

function readUser(socket: TLSSocket): UserInfo | undefined {
  const certificate = socket.getPeerCertificate();
  if (!certificate || Object.keys(certificate).length === 0) return undefined;
  if (!socket.authorized) throw unauthorized();
  const subject: { CN?: string | string[]; O?: string | string[] } = certificate.subject;
  const [name] = listOf(subject.CN);
  if (!name) throw unauthorized();
  return authenticated(userNamed(name, listOf(subject.O)));
}
