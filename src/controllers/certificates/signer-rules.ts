import type { CertificateRequest } from '../../pki/certificate-request.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

/** What a signer has against a request, in one line; undefined: it signs. Clients match on these texts. */
export type SignerRule = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

const NODES_GROUP = 'system:nodes';
const NODE_PREFIX = 'system:node:';

/** The rules of the built-in signers by their names. That no certificate is one of an authority holds for all. */
export const signerRules = ({ signers }: Vocabulary): ReadonlyMap<string, SignerRule> =>
  new Map([
    [signers.apiserverClient, clientRule],
    [signers.apiserverClientNode, nodeClientRule],
    [signers.nodeServing, nodeServingRule],
    // What is asked for without naming a signer is signed as it is.
    [signers.legacyUnknown, () => undefined],
  ]);

const CLIENT_AUTH = 'client auth';
const OPTIONAL_OF_CLIENTS = ['digital signature', 'key encipherment'];

/** A client is whoever its certificate says; what it may do is decided by roles. */
const clientRule: SignerRule = (_request, usages) => {
  const other = usages.find((usage) => usage !== CLIENT_AUTH && !OPTIONAL_OF_CLIENTS.includes(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes(CLIENT_AUTH) ? undefined : `missing required usage for client certificate: ${CLIENT_AUTH}`;
};

/** What a node shows to the server: who it is, and nothing by which others could take it for a server. */
export const nodeClientRule: SignerRule = (request, usages) => {
  const { dns, email, ip, uri } = request.alternativeNames;
  if (!isOfNodes(request)) return NOT_OF_NODES;
  if (dns.length > 0) return 'DNS subjectAltNames are not allowed';
  if (email.length > 0) return 'Email subjectAltNames are not allowed';
  if (ip.length > 0) return 'IP subjectAltNames are not allowed';
  if (uri.length > 0) return 'URI subjectAltNames are not allowed';
  return usagesOtherThan(usages, [CLIENT_AUTH, ...OPTIONAL_OF_CLIENTS]) ?? nameOfNode(request);
};

/** What a node shows to the server when it is called by it, under the names and addresses it is called at. */
const nodeServingRule: SignerRule = (request, usages) => {
  const { dns, email, ip, uri } = request.alternativeNames;
  if (!isOfNodes(request)) return NOT_OF_NODES;
  if (dns.length === 0 && ip.length === 0) return 'DNS or IP subjectAltName is required';
  if (email.length > 0) return 'Email subjectAltNames are not allowed';
  if (uri.length > 0) return 'URI subjectAltNames are not allowed';
  return usagesOtherThan(usages, ['digital signature', 'key encipherment', 'server auth']) ?? nameOfNode(request);
};

const NOT_OF_NODES = `subject organization is not ${NODES_GROUP}`;

const isOfNodes = ({ organizations }: CertificateRequest): boolean =>
  organizations.length === 1 && organizations[0] === NODES_GROUP;

const nameOfNode = ({ commonName }: CertificateRequest): string | undefined =>
  commonName.startsWith(NODE_PREFIX) ? undefined : `subject common name does not begin with ${NODE_PREFIX}`;

/** `wanted` in the order of the alphabet. No usage is there twice. */
function usagesOtherThan(usages: readonly string[], wanted: readonly string[]): string | undefined {
  const isSame = usages.length === wanted.length && wanted.every((usage) => usages.includes(usage));
  return isSame ? undefined : `usages did not match [${wanted.join(' ')}]`;
}
