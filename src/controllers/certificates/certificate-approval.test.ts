import { expect, it } from 'vitest';
import { requestPem } from '../../../test/support/certificates.ts';
import { PlaneClient, type PlaneRequest } from '../../client/plane-client.ts';
import type { ServedKind } from '../../client/served-kind.ts';
import { systemRuntime } from '../../runtime/runtime.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import type { LoopPlane } from '../loop.ts';
import { certificateApproval } from './certificate-approval.ts';

const request = requestPem({ subject: { commonName: 'system:node:n', organizations: ['system:nodes'] } });
const now = Date.UTC(2030, 0, 1);
const created = new Date(now - 60_000).toISOString();
const stored = {
  kind: 'CertificateSigningRequest',
  apiVersion: 'certificates.k8s.io/v1',
  metadata: { name: 'r', uid: 'u', resourceVersion: '7', creationTimestamp: created },
  spec: {
    request: Buffer.from(request).toString('base64'),
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['key encipherment', 'digital signature', 'client auth'],
    username: 'system:node:n',
    uid: 'uid-7',
    groups: ['g1', 'g2'],
    extra: { 'example.com/why': ['a', 'b'] },
  },
  status: {},
};

/** The loop looks at the one request, in a plane of the original's names that allows what is given. */
async function look(...allowed: readonly string[]) {
  const sent: { readonly method: string; readonly target: string; readonly document: Record<string, unknown> }[] = [];
  const later: [string, number][] = [];
  const send = async ({ method, target, body = '{}' }: PlaneRequest) => {
    const document = JSON.parse(body);
    sent.push({ method, target, document });
    const isAllowed = allowed.includes(document.spec?.resourceAttributes?.subresource);
    const answer = target.includes('reviews') ? { ...document, status: { allowed: isAllowed } } : document;
    return { status: 200, body: Buffer.from(JSON.stringify(answer)) };
  };
  const plane: LoopPlane = {
    runtime: { ...systemRuntime, now: () => now },
    vocabulary: vocabularies.kubernetes,
    known: {
      get: <T>() => stored as unknown as T,
      each: () => [],
      follow: () => ({ close() {} }),
      followOwnership: () => ({
        whenComplete: () => undefined,
        uidOf: () => undefined,
        namespaceOf: () => undefined,
        close() {},
      }),
    },
    kinds: {
      all: () => [],
      find: (name): ServedKind => ({ ...name, version: 'v1', kind: '', namespaced: false, verbs: [] }),
      named: () => undefined,
      follow: () => ({ close() {} }),
    },
    client: new PlaneClient(send, 'meta.k8s.io'),
  };
  const queue = { add() {}, addAfter: (key: string, milliseconds: number) => void later.push([key, milliseconds]) };
  await certificateApproval.begin(plane, queue).handle('r');
  return { sent, later };
}

it('asks whether whoever made the request may, with all that is known of them', async () => {
  const { sent, later } = await look('nodeclient');
  const { username: user, uid, groups, extra } = stored.spec;
  const review = (subresource: string) => ({
    method: 'POST',
    target: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    document: {
      spec: {
        user,
        uid,
        groups,
        extra,
        resourceAttributes: {
          verb: 'create',
          group: 'certificates.k8s.io',
          version: '*',
          resource: 'certificatesigningrequests',
          subresource,
        },
      },
    },
  });
  expect(sent.slice(0, 2)).toEqual([review('selfnodeclient'), review('nodeclient')]);
  const message = 'Auto approving kubelet client certificate after SubjectAccessReview.';
  expect(sent.slice(2)).toMatchObject([
    {
      method: 'PUT',
      target: '/apis/certificates.k8s.io/v1/certificatesigningrequests/r/approval',
      document: {
        metadata: { resourceVersion: '7' },
        status: { conditions: [{ type: 'Approved', status: 'True', reason: 'AutoApproved', message }] },
      },
    },
  ]);
  expect(later).toEqual([]);
});

it('asks no further once it has a right, and looks again after as long as the request has waited without', async () => {
  expect((await look('selfnodeclient', 'nodeclient')).sent).toHaveLength(2);
  const { sent, later } = await look();
  expect(sent).toHaveLength(2);
  expect(later).toEqual([['r', 60_000]]);
});
