import { certificateRequest } from './certificates.ts';
import type { Client, Headers } from './client.ts';

/** The identity that a server found behind a request. */
export interface Whoami {
  readonly username: string;
  readonly uid?: string;
  readonly groups: string[];
  readonly extra?: Record<string, string[]>;
}

const REQUESTS = '/apis/certificates.platform.io/v1/certificatesigningrequests';
const request = certificateRequest('anyone');

/** Lets everyone in a group be told who they are. */
export async function letGroupAsk(admin: Client, group: string): Promise<void> {
  const apiGroup = 'rbac.authorization.platform.io';
  const rules = [
    { apiGroups: ['certificates.platform.io'], resources: ['certificatesigningrequests'], verbs: ['create'] },
  ];
  const metadata = { name: `who-am-i-${group.replaceAll(':', '-')}` };
  const roleRef = { apiGroup, kind: 'ClusterRole', name: metadata.name };
  const subjects = [{ apiGroup, kind: 'Group', name: group }];
  await admin.request('POST', `/apis/${apiGroup}/v1/clusterroles`, { metadata, rules });
  await admin.request('POST', `/apis/${apiGroup}/v1/clusterrolebindings`, { metadata, roleRef, subjects });
}

/** Who the server takes a client for: certificate requests say who made them. The status instead when it is refused. */
export async function whoami(client: Client, headers: Headers = {}): Promise<Whoami | number> {
  const spec = { request, signerName: 'example.com/test', usages: ['client auth'] };
  // As bytes: Node sends headers in the encoding of a body that is text.
  const body = Buffer.from(JSON.stringify({ metadata: { name: 'who-am-i' }, spec }));
  const answer = await client.request('POST', `${REQUESTS}?dryRun=All`, body, headers);
  if (answer.status !== 201) return answer.status;
  const { username, uid, groups, extra } = answer.body.spec as unknown as Whoami;
  return { username, groups, ...(uid ? { uid } : {}), ...(extra ? { extra } : {}) };
}
