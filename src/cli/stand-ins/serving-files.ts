import { join } from 'node:path';
import { inMemoryPki } from '../../pki/bootstrap.ts';
import { directoryFiles } from '../../pki/pem-files.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { pkiOptionsOf } from '../../server/credentials.ts';
import type { Settings } from '../../settings/settings.ts';
import { vocabularyNamed } from '../../vocabulary/vocabulary.ts';

const CERTIFICATE = 'apiserver.crt';
const KEY = 'apiserver.key';

/**
 * The certificate and key in a folder, as flags of the server name them. Where there is none a pair is made and written,
 * the certificate with its authority. Throws one line when one of the two is missing.
 */
export function servingFilesIn(
  folder: string,
  settings: Settings,
  runtime: Runtime,
): Pick<Settings, 'tlsCertFile' | 'tlsPrivateKeyFile'> {
  const files = directoryFiles(folder);
  const [certificate, key] = [files.read(CERTIFICATE), files.read(KEY)];
  if ((certificate === undefined) !== (key === undefined)) {
    throw new Error(`--cert-dir: ${folder} has one of ${CERTIFICATE} and ${KEY}, and must have both or none`);
  }
  if (certificate === undefined) {
    const { serving, ca } = inMemoryPki(pkiOptionsOf(settings, vocabularyNamed(settings.vocabulary), runtime));
    files.write(KEY, serving.key);
    files.write(CERTIFICATE, serving.certificate + ca.certificate);
  }
  return { tlsCertFile: join(folder, CERTIFICATE), tlsPrivateKeyFile: join(folder, KEY) };
}
