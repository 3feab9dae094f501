import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import type { Io } from './io.ts';

/** Where systems keep the authorities that they trust. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/**
 * The authorities that this system trusts, as PEM: those that `SSL_CERT_FILE` names, or else of the first place that has
 * some, or else those that Node brings along. Other programs of this interface look there too.
 */
export async function systemAuthorities(
  { env }: Pick<Io, 'env'>,
  places: readonly string[] = BUNDLES,
): Promise<string> {
  if (env.SSL_CERT_FILE) return readFile(env.SSL_CERT_FILE, 'utf8');
  for (const place of places) {
    const bundle = await readFile(place, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '';
      throw error;
    });
    if (bundle !== '') return bundle;
  }
  return rootCertificates.join('\n');
}
