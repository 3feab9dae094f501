import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TestAuthority } from '../../test/support/certificates.ts';
import { temporaryDirectory } from '../../test/support/temporary-directory.ts';
import { SigningAuthority } from './signing-authority.ts';

const [one, other] = [new TestAuthority('one'), new TestAuthority('other')];
const leaf = one.client({ commonName: 'x' });

it.each([
  ['none', 'nonsense', one.keyPem, 'a.crt: holds no PEM certificate'],
  ['two', `${one.pem}${other.pem}`, one.keyPem, 'a.crt: holds 2 certificates, one is expected'],
  ['a client', leaf.clientCertificate, leaf.clientKey, 'a.crt: is not the certificate of an authority'],
  ['no key', one.pem, 'nonsense', 'a.key: holds no usable private key (unencrypted PEM expected)'],
  ['the key of another', one.pem, other.keyPem, 'a.crt: does not belong to the key in'],
])('files that hold %s are refused', async (_what, certificate, key, why) => {
  const directory = await temporaryDirectory();
  const files = { certificate: join(directory, 'a.crt'), key: join(directory, 'a.key') };
  await Promise.all([writeFile(files.certificate, certificate), writeFile(files.key, key)]);
  expect(() => SigningAuthority.inFiles(files)).toThrow(why);
});

it('files that are not there are refused', () => {
  const files = { certificate: '/nowhere/a.crt', key: '/nowhere/a.key' };
  expect(() => SigningAuthority.inFiles(files)).toThrow('/nowhere/a.crt: cannot be read (ENOENT)');
});
