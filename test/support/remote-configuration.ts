import type { TestAuthority } from './certificates.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A client configuration by which a server reaches a remote service, whose authority vouches for both. */
export function remoteConfiguration(authority: TestAuthority, server: string, changes: object = {}): string {
  const { clientCertificate, clientKey } = authority.client({ commonName: 'the-server' });
  const cluster = { server, 'certificate-authority-data': base64(authority.pem), ...changes };
  const user = { 'client-certificate-data': base64(clientCertificate), 'client-key-data': base64(clientKey) };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
}

/** What takes the place of the authority that a service is verified by. */
export const trusting = (authority: TestAuthority): object => ({ 'certificate-authority-data': base64(authority.pem) });
