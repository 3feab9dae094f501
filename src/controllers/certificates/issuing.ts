import { type Issuer, issueCertificate, type Validity } from '../../pki/certificate.ts';
import { type CertificateRequest, isSignedByItsKey, readCertificateRequest } from '../../pki/certificate-request.ts';
import { certificatePem } from '../../pki/keys.ts';
import { isUsage, type Usage } from '../../pki/usages.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { SignerRule } from './signer-rules.ts';

const MINUTE = 60_000;
/** For peers whose clock is behind. */
const BACKDATE = 5 * MINUTE;
/** Of a shorter life nothing is taken away for having begun earlier. */
const SHORT_LIFE = 8 * 60 * MINUTE;
const SHORTEST_LIFE = 10 * MINUTE;

/** What a client asked for. */
export interface Application {
  /** PEM. */
  readonly request: string;
  readonly usages: readonly string[];
  readonly expirationSeconds: number | undefined;
}

/** A certificate in PEM, or why there will be none. */
export type Verdict = { readonly certificate: string } | { readonly refusal: string };

/** Signs what the rule has nothing against. Throws when it could be signed at another time, or by another issuer. */
export function issue(
  runtime: Runtime,
  issuer: Issuer,
  longestLife: number,
  rule: SignerRule,
  { request: pem, usages, expirationSeconds }: Application,
): Verdict {
  const known = usages.filter(isUsage);
  const request = readApplication(pem);
  if (typeof request === 'string') return { refusal: request };
  if (known.length < usages.length) return { refusal: 'unrecognized usage values' };
  const refusal = rule(request, usages);
  if (refusal !== undefined) return { refusal };
  const validity = validityOf(runtime.now(), issuer, lifeOf(longestLife, expirationSeconds));
  return { certificate: certificatePem(issueCertificate(runtime, issuer, templateOf(request, known, validity))) };
}

/** What it asks for, or what is wrong with it. It was looked at before it was stored, but perhaps not by this release. */
function readApplication(pem: string): CertificateRequest | string {
  try {
    return isSignedByItsKey(pem) ? readCertificateRequest(pem) : 'the signature does not match the key';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const templateOf = (
  { publicKey, subject, alternativeNames }: CertificateRequest,
  usages: readonly Usage[],
  validity: Validity,
) => ({ ...validity, publicKey, subject, usages, alternativeNames });

/** As long as is asked for, within bounds. */
export const lifeOf = (longest: number, expirationSeconds: number | undefined): number =>
  expirationSeconds === undefined ? longest : Math.min(longest, Math.max(expirationSeconds * 1000, SHORTEST_LIFE));

/** From when to when a certificate holds that is made now. */
export function validityOf(now: number, { notAfter: end }: Issuer, life: number): Validity {
  if (now >= end) throw new Error(`the signer has expired: it held until ${new Date(end).toISOString()}`);
  const notBefore = now - BACKDATE;
  return { notBefore, notAfter: Math.min(end, life < SHORT_LIFE ? now + life : notBefore + life) };
}
