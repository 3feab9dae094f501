import { CertificateSigningRequest } from '../../kinds/certificates/certificate-signing-request.ts';
import { sameJson } from '../../schema/same-json.ts';
import type { AccessCheck } from '../access-check.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';
import { onSubresource, type UpdateRequest } from '../rule.ts';
import { maySign } from './signer-permission.ts';

/** Who issues a certificate, or says that there will be none, must be allowed to sign for its signer. */
export const certificateSigning = (may: AccessCheck): AdmissionPlugin => ({
  rules: [
    onSubresource(CertificateSigningRequest, 'status').validate({
      update(request) {
        const { status } = request.object;
        const { status: old } = request.oldObject;
        if (status.certificate === old.certificate && sameJson(status.conditions, old.conditions)) return;
        return demandSigner(request, may);
      },
    }),
  ],
});

async function demandSigner(request: UpdateRequest<CertificateSigningRequest>, may: AccessCheck): Promise<void> {
  const { type, user, oldObject } = request;
  const { signerName } = oldObject.spec;
  if (await maySign(may, user, 'sign', type.group, signerName)) return;
  throw refusal(request, `user not permitted to sign requests with signerName "${signerName}"`);
}
