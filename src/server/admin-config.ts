import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../observe/logging/logger.ts';
import { renderAdminConfig } from '../outbound/config.ts';
import { errorCode } from '../runtime/directories.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Credentials } from './credentials.ts';

export interface AdminConfig {
  readonly text: string;
  readonly file: string | undefined;
}

export interface AdminConfigParts {
  /** The address of the server. */
  readonly server: string;
  readonly credentials: Pick<Credentials, 'rootCa' | 'admin'>;
  /** Where to write it; undefined: nowhere. */
  readonly dataDir: string | undefined;
  readonly vocabulary: Vocabulary;
  readonly logger: Logger;
}

/**
 * The client configuration of the administrator. Its file is written anew at every start, because the address or the
 * certificate may have changed, unless someone else has changed it: their work is kept.
 */
export function adminConfigOf({ server, credentials, dataDir, vocabulary, logger }: AdminConfigParts): AdminConfig {
  const { rootCa, admin } = credentials;
  const keys = { caPem: rootCa, certPem: admin.certificate, keyPem: admin.key };
  const names = { clusterName: vocabulary.name, userName: vocabulary.certificateNames.administrator };
  const text = renderAdminConfig({ server, ...keys, ...names });
  if (dataDir === undefined) return { text, file: undefined };
  const file = join(dataDir, 'admin.conf');
  const present = readIfThere(file);
  const wanted = sealed(text);
  if (present === wanted) return { text, file };
  if (!isOurs(present, text)) {
    logger.warn({ file }, 'the admin configuration was changed by someone and is kept as it is; delete it to renew it');
    return { text, file };
  }
  if (replace(file, wanted)) return { text, file };
  logger.error({ file }, 'the disk is too full to write the admin configuration');
  return { text, file: undefined };
}

const SEAL = /^# Written by platform-apiserver at every start, unless it is changed: ([0-9a-f]{64})\n/;

/** The text behind a comment with its digest, by which it is known again whatever it says. */
const sealed = (text: string): string =>
  `# Written by platform-apiserver at every start, unless it is changed: ${digest(text)}\n${text}`;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Whether nothing of anyone else's is lost when the file is written. */
function isOurs(present: string, wanted: string): boolean {
  if (present.trim() === '' || present === wanted) return true;
  const [seal = '', written] = SEAL.exec(present) ?? [];
  return written === digest(present.slice(seal.length));
}

/** '' when there is none. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw new Error(`${file}: cannot be read (${errorCode(error)})`, { cause: error });
  }
}

/** There as a whole or not at all. False when there is no room for it, without which the server works as well. */
function replace(file: string, text: string): boolean {
  try {
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
    return true;
  } catch (error) {
    rmSync(`${file}.new`, { force: true });
    if (errorCode(error) === 'ENOSPC') return false;
    throw new Error(`${file}: cannot be written (${errorCode(error)})`, { cause: error });
  }
}
