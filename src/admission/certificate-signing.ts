import type { CertificateSigningRequest } from '../kinds/certificates/certificate-signing-request.ts';
import type { AdmissionRequest } from '../registry/admission.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { sameJson } from '../schema/same-json.ts';
import type { AccessCheck } from './access-check.ts';
import type { AdmissionPlugin } from './chain.ts';
import { refusal } from './refusal.ts';
import { maySign } from './signer-permission.ts';

/** Who issues a certificate, or says that there will be none, must be allowed to sign for its signer. */
export class CertificateSigning implements AdmissionPlugin {
  readonly name = 'CertificateSigning';
  readonly operations = ['UPDATE'] as const;
  private readonly may: AccessCheck;
  private readonly group: string;

  /** `group`: that of requests. */
  constructor(may: AccessCheck, group: string) {
    this.may = may;
    this.group = group;
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === this.group && plural === 'certificatesigningrequests' && subresource === 'status';
  }

  validate(request: AdmissionRequest): Promise<void> | void {
    const { status } = request.object as CertificateSigningRequest;
    const { spec, status: old } = request.oldObject as CertificateSigningRequest;
    if (status.certificate === old.certificate && sameJson(status.conditions, old.conditions)) return;
    return this.check(request, spec.signerName);
  }

  private async check(request: AdmissionRequest, signerName: string): Promise<void> {
    if (await maySign(this.may, request.user, 'sign', this.group, signerName)) return;
    throw refusal(request, `user not permitted to sign requests with signerName "${signerName}"`);
  }
}
