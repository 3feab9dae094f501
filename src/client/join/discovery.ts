import { createHash, type X509Certificate } from 'node:crypto';
import type { Connection } from '../../outbound/config.ts';
import { readCluster } from '../../outbound/config-entries.ts';
import { asNode, nodeField, nodesField } from '../../outbound/config-fields.ts';
import { parseConfigText } from '../../outbound/config-file.ts';
import { publicKeyInfo, readCertificates } from '../../pki/keys.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { isObject } from '../../schema/json-object.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { HttpTransport } from '../http-transport.ts';
import { ConfiguredIdentity } from '../identity.ts';
import { type BootstrapToken, isSignedWith } from './bootstrap-token.ts';

/** Who looks for a plane, and by what it is known. */
export interface Search {
  readonly server: string;
  readonly token: BootstrapToken;
  /** `sha256:…` of the public keys of authorities that may vouch for the plane; empty where the signature is enough. */
  readonly authorityHashes: readonly string[];
  /** Names that the plane may speak, in the order in which they are tried. */
  readonly vocabularies: readonly Vocabulary[];
  readonly runtime: Runtime;
  readonly program: string;
}

/** A plane that is what it says. */
export interface FoundPlane {
  readonly connection: Connection & { readonly ca: string };
  readonly vocabulary: Vocabulary;
}

/**
 * Asks a server that nothing is known about for what it says of itself, without showing it anything, and believes it for two
 * reasons: it is signed with the token, and the authority it names is one of those that are expected. Then it is asked
 * again over a connection that this authority vouches for, and has to say the same.
 */
export async function discoverPlane(search: Search): Promise<FoundPlane> {
  const { server, token, runtime, program } = search;
  const unverified = { server, insecureSkipTlsVerify: true };
  const { vocabulary, data } = await readClusterInfo(unverified, search);
  const { clusterInfoKey, clusterInfoSignaturePrefix } = vocabulary.wellKnown;
  const content = data[clusterInfoKey];
  const signature = data[`${clusterInfoSignaturePrefix}${token.id}`];
  if (content === undefined) throw new Error(`cluster-info of ${server} says nothing about the cluster`);
  if (signature === undefined) {
    throw new Error(
      `cluster-info of ${server} is not signed with the token "${token.id}": it is unknown there, or expired`,
    );
  }
  if (!isSignedWith(token, content, signature, vocabulary)) {
    throw new Error(
      `the signature of cluster-info of ${server} is not by the token "${token.id}": do not trust this server`,
    );
  }
  const connection = await describedPlane(content);
  demandAuthority(connection.ca, search.authorityHashes);
  const again = await readClusterInfo(
    { ...connection, server },
    { ...search, vocabularies: [vocabulary], runtime, program },
  );
  if (again.data[clusterInfoKey] !== content)
    throw new Error(`${server} says one thing to strangers, and another over TLS`);
  return { connection, vocabulary };
}

interface ClusterInfo {
  readonly vocabulary: Vocabulary;
  readonly data: Readonly<Record<string, string>>;
}

async function readClusterInfo(connection: Connection, search: Search): Promise<ClusterInfo> {
  const { vocabularies, runtime, program, server } = search;
  const transport = new HttpTransport(connection, runtime, program);
  try {
    const send = transport.sendAs(new ConfiguredIdentity({}, runtime));
    const statuses: number[] = [];
    for (const vocabulary of vocabularies) {
      const target = `/api/v1/namespaces/${vocabulary.namespaces.public}/configmaps/cluster-info`;
      const { status, body } = await send({ method: 'GET', target });
      if (status === 200) return { vocabulary, data: dataIn(body.toString()) };
      statuses.push(status);
    }
    throw new Error(
      `cluster-info of ${server} cannot be read (${statuses.join(', ')}): strangers have to be let read it`,
    );
  } finally {
    transport.close();
  }
}

function dataIn(body: string): Readonly<Record<string, string>> {
  const document: unknown = JSON.parse(body);
  const data = isObject(document) && isObject(document.data) ? document.data : {};
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, String(value)]));
}

/** The one cluster of a configuration that has nothing else; often it has no name either. */
async function describedPlane(content: string): Promise<FoundPlane['connection']> {
  const [item] = nodesField(asNode(await parseConfigText(content), ''), 'clusters');
  const described = item && nodeField(item, 'cluster');
  if (!described) throw new Error('cluster-info names no cluster');
  const { server, certificateAuthority, tlsServerName } = readCluster(described);
  if (!certificateAuthority || !('pem' in certificateAuthority)) throw new Error('cluster-info names no authority');
  return { server, ca: certificateAuthority.pem, insecureSkipTlsVerify: false, tlsServerName };
}

const hashOf = ({ publicKey }: X509Certificate): string =>
  `sha256:${createHash('sha256').update(publicKeyInfo(publicKey)).digest('hex')}`;

function demandAuthority(ca: string, hashes: readonly string[]): void {
  if (hashes.length === 0) return;
  const found = readCertificates(ca, 'cluster-info').map(hashOf);
  if (found.some((each) => hashes.includes(each))) return;
  throw new Error(`the authority in cluster-info has the hash ${found.join(', ')}, not the one that is expected`);
}
