import type { KeyObject } from 'node:crypto';
import type { CertificateTemplate, Validity } from './certificate.ts';
import { publicKeyInfo } from './keys.ts';
import { distinguishedName, namesOfHosts, type Subject } from './names.ts';

/** A certificate authority's own certificate, to be self-signed. */
export const authorityTemplate = (key: KeyObject, commonName: string, validity: Validity): CertificateTemplate => ({
  ...validity,
  publicKey: publicKeyInfo(key),
  subject: distinguishedName({ commonName }),
  usages: ['digital signature', 'cert sign', 'crl sign'],
  authority: true,
});

/** A server's certificate, valid for `hosts`: DNS names and IP addresses, mixed. */
export const servingTemplate = (
  key: KeyObject,
  commonName: string,
  hosts: readonly string[],
  validity: Validity,
): CertificateTemplate => ({
  ...validity,
  publicKey: publicKeyInfo(key),
  subject: distinguishedName({ commonName }),
  usages: ['digital signature', 'server auth'],
  alternativeNames: namesOfHosts(hosts),
});

/** A client's certificate: the common name is the user, the organizations are the groups. */
export const clientTemplate = (key: KeyObject, subject: Subject, validity: Validity): CertificateTemplate => ({
  ...validity,
  publicKey: publicKeyInfo(key),
  subject: distinguishedName(subject),
  usages: ['digital signature', 'client auth'],
});
