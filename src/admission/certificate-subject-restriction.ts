import { MASTERS_GROUP } from '../api/user.ts';
import type { CertificateSigningRequest } from '../kinds/certificates/certificate-signing-request.ts';
import { organizationsOf } from '../kinds/certificates/request-signature.ts';
import type { AdmissionRequest } from '../registry/admission.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from './chain.ts';
import { refusal } from './refusal.ts';

/** No client gets a certificate that puts it into the group whose members may do everything. */
export class CertificateSubjectRestriction implements AdmissionPlugin {
  readonly name = 'CertificateSubjectRestriction';
  readonly operations = ['CREATE'] as const;
  private readonly group: string;
  private readonly signerName: string;

  constructor({ groups, signers }: Vocabulary) {
    this.group = groups.certificates;
    this.signerName = signers.apiserverClient;
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === this.group && plural === 'certificatesigningrequests' && subresource === '';
  }

  validate(request: AdmissionRequest): void {
    const { signerName, request: encoded } = (request.object as CertificateSigningRequest).spec;
    if (signerName !== this.signerName) return;
    const pem = Buffer.from(encoded ?? '', 'base64').toString('latin1');
    if (organizationsIn(request, pem).includes(MASTERS_GROUP)) {
      throw refusal(request, `use of ${signerName} signer with ${MASTERS_GROUP} group is not allowed`);
    }
  }
}

function organizationsIn(request: AdmissionRequest, pem: string): readonly string[] {
  try {
    return organizationsOf(pem);
  } catch (error) {
    throw refusal(request, `failed to parse CSR: ${error instanceof Error ? error.message : error}`);
  }
}
