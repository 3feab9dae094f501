import { Condition } from '../../meta/condition.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { describedLike } from '../../schema/described-like.ts';
import { bytes, int32, string, stringItems, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../schema/schema.ts';

export const CertificateSigningRequestSpec = struct(
  'certificates.v1.CertificateSigningRequestSpec',
  {
    request: f(1, bytes().required().atomicList(), 'Base64 of the PEM encoded certificate request (PKCS 10).'),
    signerName: f(
      7,
      string().required(),
      'Who is to sign, as domain/path; each signer has rules of its own on what it signs.',
    ),
    expirationSeconds: f(
      8,
      int32().optional(),
      'Seconds that the certificate should be valid, at least 600; the signer may choose another time. Unset: as the signer likes.',
    ),
    usages: f(
      5,
      list(string()).atomicList(),
      'What the key may be used for, such as digital signature or client auth; the signer may demand certain ones.',
    ),
    username: f(2, string(), 'Name of the user who created the request; set by the server.'),
    uid: f(3, string(), 'UID of the user who created the request; set by the server.'),
    groups: f(4, list(string()).atomicList(), 'Groups of the user who created the request; set by the server.'),
    extra: f(6, map(stringItems()), 'Further facts about the user who created the request; set by the server.'),
  },
  { description: 'The certificate that is wanted, and who asked; nothing of it can be changed.' },
);
export type CertificateSigningRequestSpec = Infer<typeof CertificateSigningRequestSpec>;

export const CertificateSigningRequestCondition = struct(
  'certificates.v1.CertificateSigningRequestCondition',
  describedLike(Condition, {
    type: f(
      1,
      string().required(),
      'Approved, Denied or Failed; a request cannot be both approved and denied, and no decision can be taken back.',
    ),
    status: f(6, string().required(), 'True, False or Unknown; Approved, Denied and Failed can only be True.'),
    reason: f(2, string()),
    message: f(3, string()),
    lastUpdateTime: f(4, time(), 'When the condition was last written.'),
    lastTransitionTime: f(5, time()),
  }),
  { description: 'A decision about a request, or its outcome.' },
);
export type CertificateSigningRequestCondition = Infer<typeof CertificateSigningRequestCondition>;

export const CertificateSigningRequestStatus = struct(
  'certificates.v1.CertificateSigningRequestStatus',
  {
    conditions: f(
      1,
      list(CertificateSigningRequestCondition).mapBy('type'),
      'Approved and Denied are set by approvers, Failed by the signer.',
    ),
    certificate: f(
      2,
      bytes().atomicList(),
      'Base64 of the PEM encoded certificate, followed by its chain; set by the signer once the request is approved. Cannot be changed.',
    ),
  },
  { description: 'Decisions about a request, and the certificate.' },
);
export type CertificateSigningRequestStatus = Infer<typeof CertificateSigningRequestStatus>;

export const CertificateSigningRequest = kind(
  'certificates.v1.CertificateSigningRequest',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, CertificateSigningRequestSpec.required()),
    status: f(3, CertificateSigningRequestStatus),
  },
  {
    description: 'Asks a signer for a certificate. It is signed once someone with the right to do so has approved it.',
  },
);
export type CertificateSigningRequest = Infer<typeof CertificateSigningRequest>;
