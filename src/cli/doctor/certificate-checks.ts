import type { X509Certificate } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readCertificates } from '../../pki/keys.ts';
import { type Finding, looked, ok, problem, warning } from './finding.ts';

const SUBJECT = 'certificates';
const DAY_MS = 86_400_000;
const SOON_MS = 30 * DAY_MS;
/** Folders of certificates hold a handful. */
const MOST_FILES = 1_000;

/** Whether certificates hold now, and for a while. `renewal` says how there comes to be a new one. */
export function certificateFindings(
  where: string,
  certificates: readonly X509Certificate[],
  now: number,
  renewal: string,
): Finding[] {
  return certificates.map((certificate) => {
    const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
    const shown = `${where} (${certificate.subject.replaceAll('\n', ', ')})`;
    if (now > to) return problem(SUBJECT, `${shown} ended on ${dayOf(to)}`, renewal);
    if (now < from) {
      return problem(SUBJECT, `${shown} holds only from ${dayOf(from)} on`, 'set the clock of this machine right');
    }
    const days = Math.floor((to - now) / DAY_MS);
    if (to - now < SOON_MS) return warning(SUBJECT, `${shown} ends on ${dayOf(to)}, in ${days} days`, renewal);
    return ok(SUBJECT, `${shown} holds until ${dayOf(to)}, for ${days} days`);
  });
}

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

const RENEWED_AT_START = 'start the server again: it issues certificates anew that end within 30 days';
const AUTHORITY_RENEWAL =
  'an authority is not renewed by itself: docs/operations.md tells how to replace it before it ends';

/** The certificates and keys that a server made itself. */
export async function pkiFindings(folder: string, now: number): Promise<Finding[]> {
  const names = (await readdir(folder)).sort().slice(0, MOST_FILES);
  const certificates = names.filter((name) => name.endsWith('.crt'));
  const keys = names.filter((name) => name.endsWith('.key'));
  const findings = await Promise.all([
    ...certificates.map((name) => certificateFile(join(folder, name), name, now)),
    ...keys.map((name) => keyFile(join(folder, name))),
  ]);
  return findings.flat();
}

const certificateFile = (file: string, name: string, now: number): Promise<readonly Finding[]> =>
  looked(
    SUBJECT,
    async () => {
      const renewal = name === 'ca.crt' ? AUTHORITY_RENEWAL : RENEWED_AT_START;
      return certificateFindings(file, readCertificates(await readFile(file, 'utf8'), file), now, renewal);
    },
    'restore the file from a back-up, or delete it with its key to have both made anew',
  );

const OTHERS = 0o077;

/** Keys are for the eyes of one user. */
async function keyFile(file: string): Promise<readonly Finding[]> {
  const { mode } = await stat(file);
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return [];
  return [problem(SUBJECT, `${file} can be read by others`, `chmod 600 ${file}, and replace the key`)];
}
