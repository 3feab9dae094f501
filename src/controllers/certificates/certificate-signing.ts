import type { CertificateSigningRequest } from '../../kinds/certificates/certificate-signing-request.ts';
import { restEveryTurn } from '../../runtime/pacing.ts';
import { type Loop, type LoopPlane, servedKind } from '../loop.ts';
import { issue, type Verdict } from './issuing.ts';
import { ACCOUNT, awaitsSigner, requestPemOf, requestsOf, withCondition } from './request-state.ts';
import { signerRules } from './signer-rules.ts';
import type { CertificateSigners } from './signing-authorities.ts';

/** Signs requests that were approved, as far as they keep to the rules of the signer that they name. */
export const certificateSigning = (signers: CertificateSigners): Loop => ({
  name: 'csrsigning',
  account: ACCOUNT,
  workers: 4,
  begin(plane) {
    const requests = requestsOf(plane.vocabulary);
    const rules = signerRules(plane.vocabulary);
    const rest = restEveryTurn(plane.runtime);
    return {
      watches: [
        {
          ...requests,
          mentions: '"Approved"',
          onSet: (object) => {
            const request = object as CertificateSigningRequest;
            const isOurs = awaitsSigner(request) && signers.issuerFor(request.spec.signerName) !== undefined;
            return isOurs ? [request.metadata.name ?? ''] : [];
          },
        },
      ],
      async handle(name) {
        await rest();
        const request = plane.known.get<CertificateSigningRequest>(requests, '', name);
        if (!request || !awaitsSigner(request)) return;
        const { signerName, usages = [], expirationSeconds } = request.spec;
        const issuer = signers.issuerFor(signerName);
        const rule = rules.get(signerName);
        if (!issuer || !rule) return;
        const application = { request: requestPemOf(request), usages, expirationSeconds };
        await answer(plane, request, issue(plane.runtime, issuer, signers.longestLife, rule, application));
      },
    };
  },
});

/** A request is the same whenever it is read: the verdict holds for whatever has become of the rest of it. */
async function answer(plane: LoopPlane, request: CertificateSigningRequest, verdict: Verdict): Promise<void> {
  const kind = servedKind(plane, requestsOf(plane.vocabulary));
  const target = { kind, namespace: '', name: request.metadata.name ?? '', subresource: 'status' };
  await plane.client.change(target, request, (current) =>
    awaitsSigner(current) ? answered(current, verdict) : undefined,
  );
}

function answered(request: CertificateSigningRequest, verdict: Verdict): object {
  if ('refusal' in verdict) {
    return withCondition(request, { type: 'Failed', reason: 'SignerValidationFailure', message: verdict.refusal });
  }
  const certificate = Buffer.from(verdict.certificate).toString('base64');
  return { ...request, status: { ...request.status, certificate } };
}
