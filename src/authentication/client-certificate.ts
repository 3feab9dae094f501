import type { X509Certificate } from 'node:crypto';
import { ApiError, unauthorized } from '../api/errors.ts';
import { type UserInfo, userNamed } from '../api/user.ts';
import { headerValue } from '../http/headers.ts';
import type { HttpRequest } from '../http/message.ts';
import { type Authenticator, authenticated } from './authenticator.ts';
import type { CredentialMeter } from './credential-meter.ts';
import { isOfForeignPage } from './foreign-pages.ts';
import { type PeerCertificates, subjectOf } from './peer-certificates.ts';

/** Who holds a certificate, and until when it is good. */
interface Owner {
  readonly user: UserInfo;
  readonly expires: number;
}

/**
 * The certificate the client proved to hold: its common name is the user, its organizations are the groups. Browsers show it
 * whoever made the page that sends a request: what pages of others would change with it is refused.
 */
export class ClientCertificates implements Authenticator {
  readonly #certificates: PeerCertificates;
  readonly #meter: CredentialMeter | undefined;
  readonly #welcomes: (origin: string) => boolean;
  readonly #owners = new WeakMap<X509Certificate, Owner>();

  /** `welcomes`: whether pages of an origin may use the server as those of its own do. */
  constructor(certificates: PeerCertificates, meter?: CredentialMeter, welcomes = (_origin: string): boolean => false) {
    this.#certificates = certificates;
    this.#meter = meter;
    this.#welcomes = welcomes;
  }

  authenticate(request: HttpRequest): UserInfo | undefined {
    const { socket } = request;
    if (!socket) return undefined;
    const verdict = this.#certificates.verdict(socket);
    if (verdict.state === 'absent') return undefined;
    if (verdict.state === 'refused') throw unauthorized();
    if (isOfForeignPage(request) && !this.#welcomes(headerValue(request, 'origin') ?? '')) {
      throw new ApiError('Forbidden', 'a page of another origin may not do this with a client certificate');
    }
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
