import type { Connection } from '../../outbound/config.ts';
import { newPrivateKey, privateKeyPem } from '../../pki/keys.ts';
import { writeCertificateRequest } from '../../pki/request-writer.ts';
import { type Runtime, sleep } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { HttpTransport } from '../http-transport.ts';
import { type ClientCertificate, ConfiguredIdentity } from '../identity.ts';
import { type AnyObject, refusalIn, type Send } from '../plane-client.ts';

export interface CertificateWish {
  /** Where to ask, and the token to ask with. */
  readonly connection: Connection;
  readonly vocabulary: Vocabulary;
  readonly runtime: Runtime;
  readonly program: string;
  readonly nodeName: string;
  readonly timeoutMs: number;
}

interface CertificateSigningRequest extends AnyObject {
  readonly status?: {
    /** Base64 of PEM. */
    readonly certificate?: string;
    readonly conditions?: readonly { readonly type: string; readonly reason?: string; readonly message?: string }[];
  };
}

const POLL_MS = 1000;
const USAGES = ['digital signature', 'key encipherment', 'client auth'];

export const nodeUser = (nodeName: string): string => `system:node:${nodeName}`;

/** Makes a key, asks for a certificate of a node about it, and waits until it is approved and signed. */
export async function requestNodeCertificate(wish: CertificateWish): Promise<ClientCertificate> {
  const { connection, vocabulary, runtime, program, nodeName } = wish;
  const key = newPrivateKey();
  const subject = { commonName: nodeUser(nodeName), organizations: ['system:nodes'] };
  const request = Buffer.from(writeCertificateRequest(key, subject)).toString('base64');
  const transport = new HttpTransport(connection, runtime, program);
  // Timers of the runtime do not keep a process, and between two looks nothing else does.
  const alive = setInterval(() => {}, 2 ** 30);
  try {
    const send = transport.sendAs(new ConfiguredIdentity(connection, runtime));
    const path = `/apis/${vocabulary.groups.certificates}/v1/certificatesigningrequests`;
    const spec = { request, signerName: vocabulary.signers.apiserverClientNode, usages: USAGES };
    const body = JSON.stringify({ metadata: { generateName: 'node-csr-' }, spec });
    const { metadata } = await answerTo(send, { method: 'POST', target: path, body });
    const certificate = await issued(send, `${path}/${metadata.name}`, wish);
    return { certificate, key: privateKeyPem(key) };
  } finally {
    clearInterval(alive);
    transport.close();
  }
}

async function issued(send: Send, target: string, { runtime, timeoutMs }: CertificateWish): Promise<string> {
  const name = target.slice(target.lastIndexOf('/') + 1);
  const end = runtime.monotonic() + timeoutMs;
  for (;;) {
    const { status } = await answerTo(send, { method: 'GET', target });
    if (status?.certificate) return Buffer.from(status.certificate, 'base64').toString();
    const refusal = status?.conditions?.find(({ type }) => type === 'Denied' || type === 'Failed');
    if (refusal) {
      const { type, reason = '', message = '' } = refusal;
      throw new Error(`the certificate request ${name} was ${type.toLowerCase()}: ${message || reason}`);
    }
    if (runtime.monotonic() >= end) {
      throw new Error(`the certificate request ${name} was not approved within ${timeoutMs / 1000} s`);
    }
    await sleep(runtime, POLL_MS);
  }
}

async function answerTo(send: Send, request: Parameters<Send>[0]): Promise<CertificateSigningRequest> {
  const { status, body } = await send(request);
  const document = JSON.parse(body.toString());
  if (status >= 400) throw refusalIn(status, document);
  return document;
}
