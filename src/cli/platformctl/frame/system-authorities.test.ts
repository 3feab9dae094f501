import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../test/support/temporary-directory.ts';
import { systemAuthorities } from './system-authorities.ts';

describe('the authorities of a system', () => {
  it('are those of the first place that has some', async () => {
    const directory = await temporaryDirectory();
    const places = ['none', 'first', 'second'].map((name) => join(directory, name));
    await writeFile(join(directory, 'first'), 'of the first');
    await writeFile(join(directory, 'second'), 'of the second');
    expect(await systemAuthorities({ env: {} }, places)).toBe('of the first');
  });

  it('are those that the environment names', async () => {
    const file = join(await temporaryDirectory(), 'own');
    await writeFile(file, 'own');
    expect(await systemAuthorities({ env: { SSL_CERT_FILE: file } })).toBe('own');
    await expect(systemAuthorities({ env: { SSL_CERT_FILE: `${file}-gone` } })).rejects.toThrow(/own-gone/);
  });

  it('are those of Node where the system has none', async () => {
    expect(await systemAuthorities({ env: {} }, [])).toBe(rootCertificates.join('\n'));
  });
});
