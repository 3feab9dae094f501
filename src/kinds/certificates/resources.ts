import { pathSegment } from '../../meta/formats.ts';
import { type ResourceType, resourceType, statusSubresource } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { CertificateSigningRequest } from './certificate-signing-request.ts';
import {
  validateApprovalUpdate,
  validateCertificateSigningRequest,
  validateSigningUpdate,
} from './certificate-signing-request-validation.ts';
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
    validate: validateCertificateSigningRequest,
    rules: { resets: ['spec', 'status'] },
    subresources: {
      approval: {
        verbs: ['get', 'patch', 'update'],
        rules: {
          resets: ['spec', 'status.certificate'],
          whole: false,
          prepareUpdate: stampConditions,
          validateUpdate: validateApprovalUpdate,
        },
      },
      status: statusSubresource({
        resets: ['spec'],
        whole: false,
        prepareUpdate: stampConditions,
        validateUpdate: validateSigningUpdate,
      }),
    },
  }),
];
