import type { ResourceName } from '../../client/served-kind.ts';
import type { CertificateSigningRequest } from '../../kinds/certificates/certificate-signing-request.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

/** The service account of all loops about certificates. */
export const ACCOUNT = 'certificate-controller';

export const requestsOf = ({ groups }: Vocabulary): ResourceName => ({
  group: groups.certificates,
  plural: 'certificatesigningrequests',
});

type Status = CertificateSigningRequest['status'];
export type RequestCondition = NonNullable<Status['conditions']>[number];

export const conditionOf = ({ status }: CertificateSigningRequest, wanted: string): RequestCondition | undefined =>
  status.conditions?.find(({ type }) => type === wanted);

/** Nobody has decided about it yet, nor made a certificate without a decision. */
export const isUndecided = (request: CertificateSigningRequest): boolean =>
  !request.status.certificate && !conditionOf(request, 'Approved') && !conditionOf(request, 'Denied');

/** Approved, and its signer has neither issued a certificate nor refused to. */
export const awaitsSigner = (request: CertificateSigningRequest): boolean =>
  !request.status.certificate &&
  conditionOf(request, 'Approved') !== undefined &&
  !conditionOf(request, 'Denied') &&
  !conditionOf(request, 'Failed');

/** When it was last written is filled in by the server. */
export const withCondition = (
  request: CertificateSigningRequest,
  condition: Pick<RequestCondition, 'type' | 'reason' | 'message'>,
): object => ({
  ...request,
  status: { ...request.status, conditions: [...(request.status.conditions ?? []), { ...condition, status: 'True' }] },
});

/** What was sent as the request: PEM. */
export const requestPemOf = ({ spec }: CertificateSigningRequest): string =>
  Buffer.from(spec.request ?? '', 'base64').toString();
