import type { AnyObject } from '../../client/plane-client.ts';
import type { CertificateSigningRequest } from '../../kinds/certificates/certificate-signing-request.ts';
import { type CertificateRequest, readCertificateRequest } from '../../pki/certificate-request.ts';
import { restEveryTurn } from '../../runtime/pacing.ts';
import { type Loop, type LoopPlane, type LoopQueue, servedKind } from '../loop.ts';
import { ACCOUNT, isUndecided, requestPemOf, requestsOf, withCondition } from './request-state.ts';
import { nodeClientRule } from './signer-rules.ts';

/** A sort of requests that need no one to look at them, if whoever made one has a right. */
interface Recognizer {
  /** The right: to create this part of requests. */
  readonly subresource: string;
  readonly message: string;
  recognizes(request: CertificateSigningRequest, asked: CertificateRequest): boolean;
}

const RECOGNIZERS: readonly Recognizer[] = [
  {
    subresource: 'selfnodeclient',
    message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
    recognizes: ({ spec }, { commonName }) => spec.username === commonName,
  },
  {
    subresource: 'nodeclient',
    message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
    recognizes: () => true,
  },
];

const SOONEST_MS = 1_000;
const LATEST_MS = 1_000_000;

/**
 * Approves client certificates of nodes: a node renews its own, and machines that join get their first one, each where
 * roles say so. It never denies: what it does not approve is left to others.
 */
export const certificateApproval: Loop = {
  name: 'csrapproving',
  account: ACCOUNT,
  workers: 4,
  begin(plane, queue) {
    const { signers } = plane.vocabulary;
    const rest = restEveryTurn(plane.runtime);
    const concernsUs = (request: CertificateSigningRequest): boolean =>
      request.spec.signerName === signers.apiserverClientNode && isUndecided(request);
    return {
      watches: [
        {
          ...requestsOf(plane.vocabulary),
          mentions: signers.apiserverClientNode,
          onSet: (object) => (concernsUs(object as CertificateSigningRequest) ? [object.metadata.name ?? ''] : []),
        },
      ],
      async handle(name) {
        await rest();
        const request = plane.known.get<CertificateSigningRequest>(requestsOf(plane.vocabulary), '', name);
        if (request && concernsUs(request)) await consider(plane, queue, request);
      },
    };
  },
};

async function consider(plane: LoopPlane, queue: LoopQueue, request: CertificateSigningRequest): Promise<void> {
  const asked = readOrNothing(request);
  if (!asked || nodeClientRule(asked, request.spec.usages ?? []) !== undefined) return;
  for (const recognizer of RECOGNIZERS.filter(({ recognizes }) => recognizes(request, asked))) {
    if (!(await mayHave(plane, request, recognizer.subresource))) continue;
    await approve(plane, request, recognizer.message);
    return;
  }
  queue.addAfter(request.metadata.name ?? '', untilNextLook(plane, request));
}

/** What cannot be read is none of a node. */
function readOrNothing(request: CertificateSigningRequest): CertificateRequest | undefined {
  try {
    return readCertificateRequest(requestPemOf(request));
  } catch {
    return undefined;
  }
}

/** The right may be given later. The longer a request waits for that, the more rarely it is looked at. */
function untilNextLook({ runtime }: LoopPlane, { metadata }: CertificateSigningRequest): number {
  const age = runtime.now() - Date.parse(metadata.creationTimestamp ?? '');
  return Math.min(LATEST_MS, Math.max(SOONEST_MS, age || 0));
}

/** Whether whoever made the request has the right to have such requests approved. */
async function mayHave(plane: LoopPlane, { spec }: CertificateSigningRequest, subresource: string): Promise<boolean> {
  const { group, plural: resource } = requestsOf(plane.vocabulary);
  const kind = servedKind(plane, { group: plane.vocabulary.groups.authorization, plural: 'subjectaccessreviews' });
  const review = await plane.client.create<AccessReview>(kind, '', {
    spec: {
      user: spec.username,
      uid: spec.uid,
      groups: spec.groups,
      extra: spec.extra,
      resourceAttributes: { verb: 'create', group, version: '*', resource, subresource },
    },
  });
  return review.status.allowed;
}

interface AccessReview extends AnyObject {
  readonly status: { readonly allowed: boolean };
}

async function approve(plane: LoopPlane, request: CertificateSigningRequest, message: string): Promise<void> {
  const kind = servedKind(plane, requestsOf(plane.vocabulary));
  const target = { kind, namespace: '', name: request.metadata.name ?? '', subresource: 'approval' };
  await plane.client.change(target, request, (current) =>
    isUndecided(current) ? withCondition(current, { type: 'Approved', reason: 'AutoApproved', message }) : undefined,
  );
}
