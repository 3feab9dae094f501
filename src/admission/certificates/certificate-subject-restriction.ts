import { MASTERS_GROUP } from '../../api/user.ts';
import { CertificateSigningRequest } from '../../kinds/certificates/certificate-signing-request.ts';
import { readCertificateRequest } from '../../pki/certificate-request.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';
import { type CreateRequest, onKind } from '../rule.ts';

/** No client gets a certificate that puts it into the group whose members may do everything. */
export const certificateSubjectRestriction = ({ signers }: Vocabulary): AdmissionPlugin => ({
  rules: [
    onKind(CertificateSigningRequest).validate({
      create(request) {
        const { signerName, request: encoded } = request.object.spec;
        if (signerName !== signers.apiserverClient) return;
        const pem = Buffer.from(encoded ?? '', 'base64').toString('latin1');
        if (!organizationsIn(request, pem).includes(MASTERS_GROUP)) return;
        throw refusal(request, `use of ${signerName} signer with ${MASTERS_GROUP} group is not allowed`);
      },
    }),
  ],
});

function organizationsIn(request: CreateRequest<CertificateSigningRequest>, pem: string): readonly string[] {
  try {
    return readCertificateRequest(pem).organizations;
  } catch (error) {
    throw refusal(request, `failed to parse CSR: ${error instanceof Error ? error.message : error}`);
  }
}
