import type { X509Certificate } from 'node:crypto';
import { unauthorized } from '../api/errors.ts';
import { type UserInfo, userNamed } from '../api/user.ts';
import type { HttpRequest } from '../http/message.ts';
import { type Authenticator, authenticated } from './authenticator.ts';
import type { CredentialMeter } from './credential-meter.ts';
import { type PeerCertificates, subjectOf } from './peer-certificates.ts';

/** Who holds a certificate, and until when it is good. */
interface Owner {
  readonly user: UserInfo;
  readonly expires: number;
}

/** The certificate the client proved to hold: its common name is the user, its organizations are the groups. */
export class ClientCertificates implements Authenticator {
  readonly #certificates: PeerCertificates;
  readonly #meter: CredentialMeter | undefined;
  readonly #owners = new WeakMap<X509Certificate, Owner>();

  constructor(certificates: PeerCertificates, meter?: CredentialMeter) {
    this.#certificates = certificates;
    this.#meter = meter;
  }

  authenticate({ socket }: HttpRequest): UserInfo | undefined {
    if (!socket) return undefined;
    const verdict = this.#certificates.verdict(socket);
    if (verdict.state === 'absent') return undefined;
    if (verdict.state === 'refused') throw unauthorized();
    const { user, expires } = this.#owners.get(verdict.certificate) ?? this.#read(verdict.certificate);
    this.#meter?.certificateUsed(expires);
    return user;
  }

  #read(certificate: X509Certificate): Owner {
    const { commonName, organizations } = subjectOf(certificate);
    if (commonName === '') throw unauthorized();
    const user = authenticated(userNamed(commonName, organizations));
    const owner = { user, expires: Date.parse(certificate.validTo) };
    this.#owners.set(certificate, owner);
    return owner;
  }
}
