import type { CertificateSigningRequest } from '../../../kinds/certificates/certificate-signing-request.ts';
import { duration, labels } from '../../../kinds/printing.ts';
import { type CertificateRequest, readCertificateRequest } from '../../../pki/certificate-request.ts';
import { oid } from '../../../pki/der.ts';
import { readElements } from '../../../pki/der-reader.ts';
import { CommandError } from '../frame/failure.ts';
import type { Sheet } from './sheet.ts';
import { describer } from './subject.ts';
import { momentText } from './texts.ts';

export const certificateSigningRequest = describer<CertificateSigningRequest>((sheet, { object }) => {
  const { metadata, spec, status } = object;
  const request = readRequest(Buffer.from(spec.request ?? '', 'base64').toString());
  sheet.field('Name', metadata.name ?? '');
  sheet.field('Labels', labels(metadata.labels));
  sheet.field('Annotations', labels(metadata.annotations));
  sheet.field('CreationTimestamp', momentText(metadata.creationTimestamp));
  sheet.field('Requesting User', spec.username ?? '');
  if (spec.signerName) sheet.field('Signer', spec.signerName);
  if (spec.expirationSeconds !== undefined) {
    sheet.field('Requested Duration', duration(spec.expirationSeconds * 1000));
  }
  sheet.field('Status', requestState(status));
  writeSubject(sheet, request);
  const { dns, email, uri, ip } = request.alternativeNames;
  if (dns.length + email.length + uri.length + ip.length === 0) return;
  sheet.line(0, 'Subject Alternative Names:');
  writeList(sheet, 'DNS Names', dns);
  writeList(sheet, 'Email Addresses', email);
  writeList(sheet, 'URIs', uri);
  writeList(sheet, 'IP Addresses', ip);
});

function readRequest(pem: string): CertificateRequest {
  try {
    return readCertificateRequest(pem);
  } catch (error) {
    throw new CommandError(`Error parsing CSR: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** `Approved,Issued`. */
export function requestState({ conditions, certificate }: CertificateSigningRequest['status']): string {
  const types = new Set((conditions ?? []).map(({ type }) => type));
  const decision = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  return `${decision}${types.has('Failed') ? ',Failed' : ''}${certificate ? ',Issued' : ''}`;
}

/** Parts of a subject that may be there several times, in the order in which they are shown. */
const PARTS = [
  ['Organization', '2.5.4.10'],
  ['Organizational Unit', '2.5.4.11'],
  ['Country', '2.5.4.6'],
  ['Locality', '2.5.4.7'],
  ['Province', '2.5.4.8'],
  ['StreetAddress', '2.5.4.9'],
  ['PostalCode', '2.5.4.17'],
] as const;
const SERIAL_NUMBER = '2.5.4.5';

function writeSubject(sheet: Sheet, { subject, commonName }: CertificateRequest): void {
  const [name] = readElements(subject);
  const pairs = readElements(name?.content ?? Buffer.alloc(0)).flatMap((level) => readElements(level.content));
  const texts = (type: string): string[] =>
    pairs.flatMap((pair) => {
      const [id, value] = readElements(pair.content);
      return id && value && id.whole.equals(oid(type)) ? [value.content.toString('utf8')] : [];
    });
  sheet.line(0, 'Subject:');
  sheet.line(0, '', 'Common Name:', commonName);
  sheet.line(0, '', 'Serial Number:', texts(SERIAL_NUMBER).at(-1) ?? '');
  for (const [title, type] of PARTS) writeList(sheet, title, texts(type));
}

function writeList(sheet: Sheet, title: string, values: readonly string[]): void {
  for (const [at, value] of values.entries()) sheet.line(0, '', at === 0 ? `${title}:` : '', value);
}
