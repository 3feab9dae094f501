import type { AnyObject } from '../../client/plane-client.ts';
import type { CertificateSigningRequest } from '../../kinds/certificates/certificate-signing-request.ts';
import { certificateEnd } from '../../pki/certificate.ts';
import { pemBlocks } from '../../pki/pem-blocks.ts';
import { restEveryTurn } from '../../runtime/pacing.ts';
import { DueTimes } from '../due-times.ts';
import { type Loop, type LoopPlane, servedKind } from '../loop.ts';
import { ACCOUNT, conditionOf, requestsOf } from './request-state.ts';

const HOUR = 3_600_000;
/** How long a request is kept after it was decided about, or failed. */
const DECIDED_FOR = HOUR;
const PENDING_FOR = 24 * HOUR;

/** Removes requests that nobody needs any more. */
export const certificateCleaner: Loop = {
  name: 'csrcleaner',
  account: ACCOUNT,
  begin(plane, queue) {
    const rest = restEveryTurn(plane.runtime);
    const due = new DueTimes(plane.runtime, (name) => queue.add(name));
    const nameOf = ({ metadata }: AnyObject): string[] => [metadata.name ?? ''];
    return {
      watches: [{ ...requestsOf(plane.vocabulary), onSet: nameOf, onRemove: nameOf }],
      async handle(name) {
        await rest();
        await clean(plane, due, name);
      },
      close: () => due.close(),
    };
  },
};

async function clean(plane: LoopPlane, due: DueTimes, name: string): Promise<void> {
  const requests = requestsOf(plane.vocabulary);
  const request = plane.known.get<CertificateSigningRequest>(requests, '', name);
  due.forget(name);
  if (!request) return;
  const last = keptUntil(request);
  if (last >= plane.runtime.now()) {
    due.set(name, last + 1);
    return;
  }
  const { uid = '', resourceVersion = '' } = request.metadata;
  const target = { kind: servedKind(plane, requests), namespace: '', name };
  // One that has been made anew or changed meanwhile is looked at by itself.
  await plane.client.deleteIfThere(target, { preconditions: { uid, resourceVersion } });
}

/** The last moment that a request is kept for, in milliseconds since the epoch. */
export function keptUntil(request: CertificateSigningRequest): number {
  const decisions = ['Approved', 'Denied', 'Failed'].flatMap((type) => conditionOf(request, type) ?? []);
  const times = decisions.map(({ lastUpdateTime }) => Date.parse(lastUpdateTime ?? '')).filter(Number.isFinite);
  const made = Date.parse(request.metadata.creationTimestamp ?? '');
  // Whoever decides may say when that was, but it was not before there was a request.
  const deadline = times.length > 0 ? Math.max(made, ...times) + DECIDED_FOR : made + PENDING_FOR;
  return Math.min(deadline, endOf(request.status.certificate));
}

/** When an issued certificate expires. What comes after the first is its chain. */
function endOf(certificate: string | undefined): number {
  if (!certificate) return Number.POSITIVE_INFINITY;
  const [first] = pemBlocks(Buffer.from(certificate, 'base64').toString());
  try {
    return first ? certificateEnd(Buffer.from(first.body, 'base64')) : Number.POSITIVE_INFINITY;
  } catch {
    // Perhaps understood by a later release.
    return Number.POSITIVE_INFINITY;
  }
}
