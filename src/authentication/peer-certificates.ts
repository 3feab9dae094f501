import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { ClientAuthorities, VerifiedChain } from '../pki/client-authorities.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** Authorities in between that are remembered for resumed sessions. There are few of them under any authority. */
const MOST_REMEMBERED = 64;

/** What is known of the certificate a client showed, or that it showed none. */
export type PeerVerdict =
  | { readonly state: 'absent' }
  | { readonly state: 'refused' }
  | { readonly state: 'verified'; readonly certificate: X509Certificate };

const ABSENT: PeerVerdict = { state: 'absent' };
const REFUSED: PeerVerdict = { state: 'refused' };

/** Holds the certificates of connections against the authorities of one purpose. */
export class PeerCertificates {
  #authorities: ClientAuthorities;
  readonly #runtime: Runtime;
  #connections = new WeakMap<TLSSocket, Connection>();
  readonly #intermediates = new Map<string, X509Certificate>();

  constructor(authorities: ClientAuthorities, runtime: Runtime) {
    this.#authorities = authorities;
    this.#runtime = runtime;
  }

  /** From now on these count, on connections that are open as well. */
  trust(authorities: ClientAuthorities): void {
    this.#authorities = authorities;
    this.#connections = new WeakMap();
    this.#intermediates.clear();
  }

  /** Verifies once a connection, and again when what was verified has run out since. */
  verdict(socket: TLSSocket): PeerVerdict {
    const now = this.#runtime.now();
    const known = this.#connections.get(socket);
    if (known && (!known.chain || holdsAt(known.chain, now))) return known.verdict;
    const presented = known?.presented ?? this.#presentedBy(socket);
    const chain = this.#authorities.verify(presented, now);
    const verdict = verdictOf(presented, chain);
    this.#connections.set(socket, { presented, chain, verdict });
    if (chain) this.#remember(chain);
    return verdict;
  }

  /** A resumed session has the client's own certificate only: the others were sent with the first handshake. */
  #presentedBy(socket: TLSSocket): X509Certificate[] {
    const presented = presentedChain(socket);
    return socket.isSessionReused() ? [...presented, ...this.#intermediates.values()] : presented;
  }

  #remember({ certificates }: VerifiedChain): void {
    for (const certificate of certificates.slice(1, -1)) {
      if (this.#intermediates.size >= MOST_REMEMBERED) return;
      this.#intermediates.set(certificate.fingerprint256, certificate);
    }
  }
}

interface Connection {
  readonly presented: readonly X509Certificate[];
  readonly chain: VerifiedChain | undefined;
  readonly verdict: PeerVerdict;
}

const holdsAt = ({ notBefore, notAfter }: VerifiedChain, now: number): boolean => notBefore <= now && now <= notAfter;

function verdictOf([leaf]: readonly X509Certificate[], chain: VerifiedChain | undefined): PeerVerdict {
  if (!leaf) return ABSENT;
  return chain ? { state: 'verified', certificate: leaf } : REFUSED;
}

/** What the client sent, in its order: the certificate it holds the key of, then any others. */
function presentedChain(socket: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = [];
  let next = socket.getPeerX509Certificate();
  while (next) {
    chain.push(next);
    next = next.issuerCertificate;
  }
  return chain;
}

export interface CertifiedSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

const listOf = (value: string | string[] | undefined): string[] => (value === undefined ? [] : [value].flat());

/** Of several common names the last counts, as it is the most specific. '' when there is none. */
export function subjectOf(certificate: X509Certificate): CertifiedSubject {
  const subject: { CN?: string | string[]; O?: string | string[] } = certificate.toLegacyObject().subject;
  return { commonName: listOf(subject.CN).at(-1) ?? '', organizations: listOf(subject.O) };
}
