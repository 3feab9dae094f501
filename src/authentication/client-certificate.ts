import type { X509Certificate } from 'node:crypto';
import { unauthorized } from '../api/errors.ts';
import { type UserInfo, userNamed } from '../api/user.ts';
import type { HttpRequest } from '../http/message.ts';
import { type Authenticator, authenticated } from './authenticator.ts';
import { type PeerCertificates, subjectOf } from './peer-certificates.ts';

/** The certificate the client proved to hold: its common name is the user, its organizations are the groups. */
export class ClientCertificates implements Authenticator {
  readonly #certificates: PeerCertificates;
  readonly #users = new WeakMap<X509Certificate, UserInfo>();

  constructor(certificates: PeerCertificates) {
    this.#certificates = certificates;
  }

  authenticate({ socket }: HttpRequest): UserInfo | undefined {
    if (!socket) return undefined;
    const verdict = this.#certificates.verdict(socket);
    if (verdict.state === 'absent') return undefined;
    if (verdict.state === 'refused') throw unauthorized();
    return this.#users.get(verdict.certificate) ?? this.#read(verdict.certificate);
  }

  #read(certificate: X509Certificate): UserInfo {
    const { commonName, organizations } = subjectOf(certificate);
    if (commonName === '') throw unauthorized();
    const user = authenticated(userNamed(commonName, organizations));
    this.#users.set(certificate, user);
    return user;
  }
}
