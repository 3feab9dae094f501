import type { X509Certificate } from 'node:crypto';
import type { Validity } from './certificate.ts';
import { type Constraints, constraintsOf } from './constraints.ts';
import { readCertificates } from './keys.ts';

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const ANY_USAGE = '2.5.29.37.0';
const DIGITAL_SIGNATURE = 0;
const KEY_AGREEMENT = 4;

/** A client decides what it presents, so what is done with it is bounded. */
const MOST_PRESENTED = 16;
const LONGEST_CHAIN = 8;
const MOST_ATTEMPTS = 64;

/** Certificates as text, and what to call them in errors. */
export interface PemBundle {
  readonly pem: string;
  readonly source: string;
}

/** A chain that holds: from the leaf to an authority, and for how long. */
export interface VerifiedChain extends Validity {
  /** Leaf first, authority last. */
  readonly certificates: readonly X509Certificate[];
}

/** A certificate with what verification needs to know of it, read once. */
interface Link extends Validity {
  readonly certificate: X509Certificate;
  readonly constraints: Constraints;
  readonly forClients: boolean;
}

/**
 * The authorities that are trusted for one purpose. A certificate among them is trusted by itself, whoever signed it.
 * Verification is done here and not by TLS, because a server asks for client certificates of several purposes at once
 * and TLS does not tell which authority it found.
 */
export class ClientAuthorities {
  readonly #anchors: readonly Link[];

  /** Throws one line that starts with the source when a certificate is broken or not that of an authority. */
  constructor(...bundles: readonly PemBundle[]) {
    this.#anchors = bundles.flatMap(({ pem, source }) =>
      readCertificates(pem, source).map((certificate, at) => {
        const link = linkOf(certificate);
        if (!link.constraints.mayBeRoot) throw notAnAuthority(source, at);
        return link;
      }),
    );
  }

  /** A chain from the first certificate through the others to an authority, good at `now` for a TLS client. */
  verify(presented: readonly X509Certificate[], now: number): VerifiedChain | undefined {
    const [first, ...others] = presented.slice(0, MOST_PRESENTED);
    const leaf = first && readLink(first);
    if (!leaf || !isClient(leaf, now)) return undefined;
    const anchors = this.#anchors.filter((link) => holds(link, now));
    const intermediates = others
      .flatMap((certificate) => readLink(certificate) ?? [])
      .filter((link) => mayIssue(link, now) && link.constraints.soundlySigned);
    const chain = new Search(anchors, intermediates).from([leaf]);
    return (
      chain && {
        certificates: chain.map(({ certificate }) => certificate),
        notBefore: Math.max(...chain.map(({ notBefore }) => notBefore)),
        notAfter: Math.min(...chain.map(({ notAfter }) => notAfter)),
      }
    );
  }
}

const notAnAuthority = (source: string, at: number): Error =>
  new Error(`${source}: certificate ${at + 1} is not that of an authority`);

function linkOf(certificate: X509Certificate): Link {
  // Undefined when there is no such extension, whatever the types say.
  const usages: readonly string[] | undefined = certificate.keyUsage;
  return {
    certificate,
    constraints: constraintsOf(certificate),
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
    forClients: usages === undefined || usages.includes(CLIENT_AUTH) || usages.includes(ANY_USAGE),
  };
}

/** What a client sends may be understood by TLS and still not be read here. */
function readLink(certificate: X509Certificate): Link | undefined {
  try {
    return linkOf(certificate);
  } catch {
    return undefined;
  }
}

/** Written so that a date that cannot be read is outside. */
const holds = ({ notBefore, notAfter, forClients, constraints }: Link, now: number): boolean =>
  notBefore <= now && now <= notAfter && forClients && !constraints.undecidable;

/** An authority's own certificate is for signing, not for showing. */
function isClient(link: Link, now: number): boolean {
  const { keyUsage, soundlySigned } = link.constraints;
  const maySign = !keyUsage || keyUsage.has(DIGITAL_SIGNATURE) || keyUsage.has(KEY_AGREEMENT);
  return holds(link, now) && soundlySigned && maySign && !link.certificate.ca;
}

const mayIssue = (link: Link, now: number): boolean => holds(link, now) && link.certificate.ca;

/** Looks for a chain, depth first. */
class Search {
  readonly #anchors: readonly Link[];
  readonly #intermediates: readonly Link[];
  #attempts = 0;

  constructor(anchors: readonly Link[], intermediates: readonly Link[]) {
    this.#anchors = anchors;
    this.#intermediates = intermediates;
  }

  /** Continues a chain that begins with the leaf. */
  from(chain: readonly Link[]): readonly Link[] | undefined {
    const anchor = this.#anchors.find((link) => this.#issued(link, chain));
    if (anchor) return [...chain, anchor];
    if (chain.length >= LONGEST_CHAIN) return undefined;
    for (const link of this.#intermediates) {
      if (chain.includes(link) || !this.#issued(link, chain)) continue;
      const whole = this.from([...chain, link]);
      if (whole) return whole;
    }
    return undefined;
  }

  /** Whether `issuer` can stand at the end of the chain. Names are compared first: a signature costs a thousand times more. */
  #issued({ certificate: issuer, constraints }: Link, chain: readonly Link[]): boolean {
    const last = chain.at(-1)?.certificate;
    const { pathLength = Number.MAX_SAFE_INTEGER } = constraints;
    if (!last || chain.length - 1 > pathLength || !last.checkIssued(issuer)) return false;
    if (this.#attempts++ >= MOST_ATTEMPTS) return false;
    return isSignedBy(last, issuer);
  }
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}
