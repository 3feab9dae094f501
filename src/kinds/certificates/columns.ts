import type { Column } from '../../registry/resource-type.ts';
import { ageColumn, nameColumn, text } from '../columns.ts';
import { duration, NONE } from '../printing.ts';
import type { CertificateSigningRequest } from './certificate-signing-request.ts';

export const certificateSigningRequestColumns: readonly Column<CertificateSigningRequest>[] = [
  nameColumn,
  ageColumn,
  text('SignerName', 'Who is asked to sign.', ({ spec }) => spec.signerName || NONE),
  text('Requestor', 'Who asks.', ({ spec }) => spec.username ?? ''),
  text('RequestedDuration', 'How long the certificate should be good for.', ({ spec }) =>
    spec.expirationSeconds === undefined ? NONE : duration(spec.expirationSeconds * 1000),
  ),
  text('Condition', 'How far the request has come.', progress),
];

function progress({ status }: CertificateSigningRequest): string {
  const has = (wanted: string): boolean => status.conditions?.some(({ type }) => type === wanted) ?? false;
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return [decision, has('Failed') && 'Failed', status.certificate && 'Issued'].filter(Boolean).join(',');
}
