import { type ResourceType, resourceType, statusSubresource } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary.ts';
import { pathSegment } from '../formats.ts';
import { CertificateSigningRequest } from './certificate-signing-request.ts';
import { certificateSigningRequestColumns } from './columns.ts';
import { prepareRequest, stampConditions } from './request-preparation.ts';

export const certificatesResources = (v: Vocabulary): readonly ResourceType[] => [
  resourceType<CertificateSigningRequest>({
    group: v.groups.certificates,
    version: 'v1',
    kind: 'CertificateSigningRequest',
    plural: 'certificatesigningrequests',
    shortNames: ['csr'],
    namespaced: false,
    schema: CertificateSigningRequest,
    nameRule: pathSegment,
    columns: certificateSigningRequestColumns,
    selectableFields: { 'spec.signerName': ({ spec }) => spec.signerName },
    createResets: ['status'],
    prepareCreate: prepareRequest,
    rules: { resets: ['spec', 'status'] },
    subresources: {
      approval: {
        verbs: ['get', 'patch', 'update'],
        rules: { resets: ['spec', 'status.certificate'], whole: false, prepareUpdate: stampConditions },
      },
      // A signer may add conditions of its own here; that approvals stay untouched is for validation to see to.
      status: statusSubresource({ resets: ['spec'], whole: false, prepareUpdate: stampConditions }),
    },
  }),
];
