import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { list, optionalText, text } from '../../../../settings/flag.ts';
import { CommandError } from '../../frame/failure.ts';
import { CONTENT_FLAGS, contentOf, hashedName } from './content-sources.ts';
import { generator, type MadeObject, required } from './generating.ts';

interface SecretParts {
  readonly name: string;
  readonly metadata: MadeObject['metadata'];
  readonly data: Readonly<Record<string, string>>;
  readonly type: string;
  readonly appendHash: boolean;
}

/** Data is in base64. */
function secretOf({ name, metadata, data, type, appendHash }: SecretParts): MadeObject {
  const made = { kind: 'Secret', apiVersion: 'v1', metadata, ...(Object.keys(data).length > 0 ? { data } : {}) };
  const typed = type === '' ? made : { ...made, type };
  if (!appendHash) return typed;
  return { ...typed, metadata: { ...metadata, name: hashedName(name, { kind: 'Secret', type, name, data }) } };
}

const inBase64 = (content: Iterable<readonly [string, Buffer]>): Record<string, string> =>
  Object.fromEntries([...content].map(([key, value]) => [key, value.toString('base64')]));

export const createGenericSecret = generator({
  usage: 'create secret generic NAME',
  about: 'Creates a secret from values, files, folders, or files of variables.',
  failing: 'failed to create secret',
  flags: { ...CONTENT_FLAGS, type: optionalText('type', 'TYPE', 'type of the secret') },
  async make({ flags, meta, name, session }) {
    const data = inBase64(await contentOf(flags, 'Secret', session.io));
    return secretOf({ name, metadata: meta(), data, type: flags.type ?? '', appendHash: flags.appendHash });
  },
});

export const createRegistrySecret = generator({
  usage: 'create secret docker-registry NAME',
  about: 'Creates a secret with which images are fetched from a registry.',
  failing: 'failed to create secret',
  flags: {
    dockerServer: text('docker-server', 'URL', 'https://index.docker.io/v1/', 'address of the registry'),
    dockerUsername: optionalText('docker-username', 'NAME', 'user name at the registry'),
    dockerPassword: optionalText('docker-password', 'TEXT', 'password at the registry'),
    dockerEmail: optionalText('docker-email', 'ADDRESS', 'mail address at the registry'),
    fromFile: list('from-file', '[KEY=]FILE', [], 'a file with the configuration of a container client'),
    appendHash: CONTENT_FLAGS.appendHash,
  },
  async make({ flags, meta, name, session }) {
    const { secretTypes } = await session.vocabulary();
    const parts = { name, metadata: meta(), type: secretTypes.dockerconfigjson, appendHash: flags.appendHash };
    if (flags.fromFile.length > 0) {
      const sources = { fromFile: flags.fromFile, fromLiteral: [], fromEnvFile: [] };
      return secretOf({ ...parts, data: inBase64(await contentOf(sources, 'Secret', session.io)) });
    }
    const { dockerUsername: username, dockerPassword: password, dockerEmail: email } = flags;
    if (!username || !password) {
      const missing = [...(username ? [] : ['docker-username']), ...(password ? [] : ['docker-password'])];
      throw new CommandError(
        `either --from-file or the combination of --docker-username, --docker-password and --docker-server is required: missing ${missing.join(', ')}`,
      );
    }
    const auth = Buffer.from(`${username}:${password}`).toString('base64');
    const entry = { username, password, ...(email ? { email } : {}), auth };
    const config = JSON.stringify({ auths: { [flags.dockerServer]: entry } });
    return secretOf({ ...parts, data: { '.dockerconfigjson': Buffer.from(config).toString('base64') } });
  },
});

export const createTlsSecret = generator({
  usage: 'create secret tls NAME',
  about: 'Creates a secret from a certificate and its key.',
  failing: 'failed to create secret',
  flags: {
    cert: optionalText('cert', 'FILE', 'PEM certificate, and those of its issuers'),
    key: optionalText('key', 'FILE', 'PEM key of the certificate'),
    appendHash: CONTENT_FLAGS.appendHash,
  },
  async make({ flags, meta, name, session }) {
    const { secretTypes } = await session.vocabulary();
    const read = (file: string): Promise<Buffer> => readFile(resolve(session.io.cwd, file));
    const [cert, key] = [await read(required('cert', flags.cert)), await read(required('key', flags.key))];
    demandPair(cert, key);
    const data = inBase64([
      ['tls.crt', cert],
      ['tls.key', key],
    ]);
    return secretOf({ name, metadata: meta(), data, type: secretTypes.tls, appendHash: flags.appendHash });
  },
});

function demandPair(cert: Buffer, key: Buffer): void {
  let fits: boolean;
  try {
    fits = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw new CommandError(`tls: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!fits) throw new CommandError('tls: private key does not match public key');
}
