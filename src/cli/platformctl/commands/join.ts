import { hostname } from 'node:os';
import { VERSION } from '../../../api/release.ts';
import type { ClientCertificate } from '../../../client/identity.ts';
import { readBootstrapToken, tokenText } from '../../../client/join/bootstrap-token.ts';
import { discoverPlane, type FoundPlane } from '../../../client/join/discovery.ts';
import { nodeUser, requestNodeCertificate } from '../../../client/join/node-certificate.ts';
import { duration, optionalText, repeated } from '../../../settings/flag.ts';
import { command } from '../frame/command.ts';
import { spokenBy } from '../frame/configured-connection.ts';
import { CommandError } from '../frame/failure.ts';
import { onOff } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { editConfig } from './config/open-config.ts';

const TIMEOUT_MS = 5 * 60_000;
const PROGRAM = `platformctl/${VERSION}`;

export const join = command({
  usage: 'join HOST:PORT --token=TOKEN --discovery-token-ca-hash=sha256:HASH',
  about:
    'Makes this machine a node of a plane that only a token is known of. What the plane says of itself has to be signed with the token, and its authority has to have the hash; then a client certificate is requested, and written into the client configuration.',
  examples: [
    ['Join', 'join 10.0.0.1:6443 --token=abcdef.0123456789abcdef --discovery-token-ca-hash=sha256:…'],
    [
      'Write the configuration into a file of its own',
      'join 10.0.0.1:6443 --token=… --discovery-token-ca-hash=… --kubeconfig=node.conf',
    ],
  ],
  flags: {
    token: optionalText('token', 'TOKEN', 'token to join with, "abcdef.0123456789abcdef"'),
    authorityHash: repeated(
      'discovery-token-ca-hash',
      'sha256:HASH',
      'hash of the public key of the authority that vouches for the plane',
    ),
    authorityCertHash: repeated('discovery-token-ca-cert-hash', 'sha256:HASH', 'the same, as other tools call it'),
    skipVerification: onOff(
      'discovery-token-unsafe-skip-ca-verification',
      false,
      'believe whoever knows the token, whatever its authority',
    ),
    nodeName: optionalText('node-name', 'NAME', 'name of the node; that of this machine unless given'),
    timeout: duration('timeout', TIMEOUT_MS, 'how long to wait for the certificate'),
  },
  async run({ args, flags, session }) {
    const [place, ...more] = args;
    if (place === undefined || more.length > 0)
      throw new CommandError('the address of the plane is required: HOST:PORT');
    if (flags.token === undefined) throw new CommandError('--token is required');
    const token = readBootstrapToken(flags.token);
    const authorityHashes = readHashes([...flags.authorityHash, ...flags.authorityCertHash], flags.skipVerification);
    const nodeName = (flags.nodeName ?? hostname()).toLowerCase();
    const { runtime } = session;
    const plane = await discoverPlane({
      server: serverAt(place),
      token,
      authorityHashes,
      vocabularies: spokenBy(session.global),
      runtime,
      program: PROGRAM,
    });
    await write(
      session.io.stderr,
      `The plane at ${plane.connection.server} is what it says; waiting for a certificate.\n`,
    );
    const certificate = await requestNodeCertificate({
      connection: { ...plane.connection, token: tokenText(token) },
      vocabulary: plane.vocabulary,
      runtime,
      program: PROGRAM,
      nodeName,
      timeoutMs: flags.timeout,
    });
    const context = await writeNode(session, plane, nodeUser(nodeName), certificate);
    await write(
      session.io.stdout,
      `This machine has joined as "${nodeUser(nodeName)}": context "${context}" is the current one.\n`,
    );
  },
});

const serverAt = (place: string): string => {
  const server = place.includes('://') ? place : `https://${place}`;
  if (!URL.canParse(server) || !server.startsWith('https://')) {
    throw new CommandError(`"${place}" is not the address of a plane: HOST:PORT is expected`);
  }
  return server;
};

/** Without a hash anybody who has seen the token could pass for the plane: it has to be said that this is meant. */
function readHashes(hashes: readonly string[], skipVerification: boolean): readonly string[] {
  const wrong = hashes.find((each) => !/^sha256:[0-9a-f]{64}$/i.test(each));
  if (wrong !== undefined)
    throw new CommandError(`"${wrong}" is not a hash: sha256: and 64 hexadecimal digits are expected`);
  if (hashes.length === 0 && !skipVerification) {
    throw new CommandError(
      '--discovery-token-ca-hash is required, or --discovery-token-unsafe-skip-ca-verification to go without',
    );
  }
  return skipVerification ? [] : hashes.map((each) => each.toLowerCase());
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Gives the name of the context. */
async function writeNode(
  session: Session,
  { connection }: FoundPlane,
  user: string,
  { certificate, key }: ClientCertificate,
): Promise<string> {
  const cluster = new URL(connection.server).host;
  const context = `${user}@${cluster}`;
  const { server, ca, tlsServerName } = connection;
  await editConfig(session, (edit) => {
    edit.set('clusters', cluster, {
      server,
      'certificate-authority-data': base64(ca),
      ...(tlsServerName === undefined ? {} : { 'tls-server-name': tlsServerName }),
    });
    edit.set('users', user, { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) });
    edit.set('contexts', context, { cluster, user });
    edit.setCurrentContext(context);
  });
  return context;
}
