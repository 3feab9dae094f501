import { CertificateSigningRequest } from '../../kinds/certificates/certificate-signing-request.ts';
import type { AccessCheck } from '../access-check.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';
import { onSubresource } from '../rule.ts';
import { maySign } from './signer-permission.ts';

/** Who approves or denies a request for a certificate must be allowed to for its signer. */
export const certificateApproval = (may: AccessCheck): AdmissionPlugin => ({
  rules: [
    onSubresource(CertificateSigningRequest, 'approval').validate({
      async update(request) {
        const { type, user, oldObject } = request;
        const { signerName } = oldObject.spec;
        if (await maySign(may, user, 'approve', type.group, signerName)) return;
        throw refusal(request, `user not permitted to approve requests with signerName "${signerName}"`);
      },
    }),
  ],
});
