import type { TLSSocket } from 'node:tls';
import { unauthorized } from '../api/errors.ts';
import type { UserInfo } from '../api/user.ts';
import type { HttpRequest } from '../http/message.ts';
import { type Authenticator, authenticated } from './authenticator.ts';
import { extraValues, identityValues } from './identity-headers.ts';
import { type PeerCertificates, subjectOf } from './peer-certificates.ts';

export interface ProxyOptions {
  /** Verified against the authorities of proxies, which are not those of users. */
  readonly certificates: PeerCertificates;
  /** Common names that proxies may have; empty: any. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly uidHeaders?: readonly string[];
  readonly extraPrefixes: readonly string[];
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const lowerCase = (names: readonly string[]): readonly string[] =>
  names.map((name) => {
    const trimmed = name.trim();
    if (!HEADER_NAME.test(trimmed)) throw new Error(`"${name}" cannot be the name of a header`);
    return trimmed.toLowerCase();
  });

/**
 * A proxy that has found out who the user is and says so in headers. It shows a certificate of its own; from anyone else
 * the headers mean nothing.
 */
export class AuthenticatingProxy implements Authenticator {
  readonly #certificates: PeerCertificates;
  readonly #allowedNames: ReadonlySet<string>;
  readonly #usernameHeaders: readonly string[];
  readonly #groupHeaders: readonly string[];
  readonly #uidHeaders: readonly string[];
  readonly #extraPrefixes: readonly string[];

  /** Throws what to tell the operator when a header cannot be named like that. */
  constructor(options: ProxyOptions) {
    this.#certificates = options.certificates;
    this.#allowedNames = new Set(options.allowedNames);
    this.#usernameHeaders = lowerCase(options.usernameHeaders);
    this.#groupHeaders = lowerCase(options.groupHeaders);
    this.#uidHeaders = lowerCase(options.uidHeaders ?? []);
    this.#extraPrefixes = lowerCase(options.extraPrefixes);
  }

  authenticate(request: HttpRequest): UserInfo | undefined {
    const header = this.#usernameHeaders.find((name) => request.headers[name]);
    if (header === undefined || !request.socket || !this.#trusts(request.socket)) return undefined;
    const [name] = identityValues(request, header);
    if (!name) throw unauthorized();
    const uidHeader = this.#uidHeaders.find((one) => request.headers[one]);
    return authenticated({
      name,
      uid: uidHeader === undefined ? '' : (identityValues(request, uidHeader)[0] ?? ''),
      groups: this.#groupHeaders.flatMap((group) => identityValues(request, group)).filter((group) => group !== ''),
      extra: extraValues(request, this.#extraPrefixes),
    });
  }

  #trusts(socket: TLSSocket): boolean {
    const verdict = this.#certificates.verdict(socket);
    if (verdict.state !== 'verified') return false;
    return this.#allowedNames.size === 0 || this.#allowedNames.has(subjectOf(verdict.certificate).commonName);
  }
}
