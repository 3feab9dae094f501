import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CommandError } from '../../frame/failure.ts';
import { pathFrom } from './open-config.ts';

export interface PemFlag {
  /** `certificate-authority`. */
  readonly field: string;
  readonly path: string;
  readonly isEmbedded: boolean;
  readonly cwd: string;
  /** Where the entry is written. */
  readonly configFile: string;
}

/** The fields that say where a PEM file is, or what is in it. */
export async function pemFields({ field, path, isEmbedded, cwd, configFile }: PemFlag): Promise<object> {
  if (path === '') return { [field]: undefined, ...(isEmbedded ? { [`${field}-data`]: undefined } : {}) };
  if (!isEmbedded) return { [field]: pathFrom(dirname(configFile), path, cwd), [`${field}-data`]: undefined };
  const bytes = await readFile(resolve(cwd, path)).catch((error: NodeJS.ErrnoException) => {
    const problem = error.code === 'ENOENT' ? 'no such file or directory' : error.code;
    throw new CommandError(`could not stat ${field} file ${path}: stat ${path}: ${problem}`);
  });
  return { [field]: undefined, [`${field}-data`]: bytes.toString('base64') };
}
