import { bytes, int32, string, stringItems, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const CertificateSigningRequestSpec = struct('certificates.v1.CertificateSigningRequestSpec', {
  request: f(1, bytes().required().atomicList(), 'The request, PEM encoded.'),
  signerName: f(7, string().required(), 'Who is to sign.'),
  expirationSeconds: f(8, int32().optional(), 'How long the certificate should last.'),
  usages: f(5, list(string()).atomicList(), 'What the certificate is for.'),
  username: f(2, string()),
  uid: f(3, string()),
  groups: f(4, list(string()).atomicList()),
  extra: f(6, map(stringItems())),
});
export type CertificateSigningRequestSpec = Infer<typeof CertificateSigningRequestSpec>;

export const CertificateSigningRequestCondition = struct('certificates.v1.CertificateSigningRequestCondition', {
  type: f(1, string().required()),
  status: f(6, string().required()),
  reason: f(2, string()),
  message: f(3, string()),
  lastUpdateTime: f(4, time()),
  lastTransitionTime: f(5, time()),
});
export type CertificateSigningRequestCondition = Infer<typeof CertificateSigningRequestCondition>;

export const CertificateSigningRequestStatus = struct('certificates.v1.CertificateSigningRequestStatus', {
  conditions: f(1, list(CertificateSigningRequestCondition).mapBy('type')),
  certificate: f(2, bytes().atomicList()),
});
export type CertificateSigningRequestStatus = Infer<typeof CertificateSigningRequestStatus>;

export const CertificateSigningRequest = kind(
  'certificates.v1.CertificateSigningRequest',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, CertificateSigningRequestSpec.required()),
    status: f(3, CertificateSigningRequestStatus),
  },
  { description: 'Asks a signer for a certificate.' },
);
export type CertificateSigningRequest = Infer<typeof CertificateSigningRequest>;
