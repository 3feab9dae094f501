import type { X509Certificate } from 'node:crypto';
import type { PlaneCertificate } from '../../kinds/explain/plane-figures.ts';
import { readCertificates } from '../../pki/keys.ts';

/** Certificates as text, one after another, and what they are for. */
export interface CertificateUse {
  readonly use: string;
  readonly pem: string;
}

/** A bundle of authorities can have hundreds. */
const MOST_SHOWN = 64;

/** What the certificates say of themselves, those that expire first coming first. */
export const certificatesIn = (uses: readonly CertificateUse[]): PlaneCertificate[] =>
  uses
    .flatMap(({ use, pem }) => readCertificates(pem, use).map((certificate) => described(use, certificate)))
    .toSorted((a, b) => ((a.notAfter ?? '') < (b.notAfter ?? '') ? -1 : 1))
    .slice(0, MOST_SHOWN);

function described(use: string, { subject, issuer, validFrom, validTo }: X509Certificate): PlaneCertificate {
  return {
    use,
    subject: inOneLine(subject),
    issuer: inOneLine(issuer),
    notBefore: timeOf(validFrom),
    notAfter: timeOf(validTo),
  };
}

const inOneLine = (name: string | undefined): string => (name ?? '').split('\n').join(', ');

const timeOf = (text: string): string => new Date(text).toISOString().replace(/\.\d+Z$/, 'Z');
