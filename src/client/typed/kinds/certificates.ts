import type { CertificateSigningRequest as DeclaredCertificateSigningRequest } from '../../../kinds/certificates/certificate-signing-request.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const certificates = inGroup(groups.certificates, 'v1');

export type CertificateSigningRequest = DeclaredCertificateSigningRequest;
export const CertificateSigningRequest: ObjectKind<CertificateSigningRequest, false> = certificates.clusterWide(
  'CertificateSigningRequest',
  'certificatesigningrequests',
);
