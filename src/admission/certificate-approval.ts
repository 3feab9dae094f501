import type { CertificateSigningRequest } from '../kinds/certificates/certificate-signing-request.ts';
import type { AdmissionRequest } from '../registry/admission.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { AccessCheck } from './access-check.ts';
import type { AdmissionPlugin } from './chain.ts';
import { refusal } from './refusal.ts';
import { maySign } from './signer-permission.ts';

/** Who approves or denies a request for a certificate must be allowed to for its signer. */
export class CertificateApproval implements AdmissionPlugin {
  readonly name = 'CertificateApproval';
  readonly operations = ['UPDATE'] as const;
  private readonly may: AccessCheck;
  private readonly group: string;

  /** `group`: that of requests. */
  constructor(may: AccessCheck, group: string) {
    this.may = may;
    this.group = group;
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === this.group && plural === 'certificatesigningrequests' && subresource === 'approval';
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const { signerName } = (request.oldObject as CertificateSigningRequest).spec;
    if (await maySign(this.may, request.user, 'approve', this.group, signerName)) return;
    throw refusal(request, `user not permitted to approve requests with signerName "${signerName}"`);
  }
}
