import { access } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where client configurations are looked for. */
export interface SourceOptions {
  /** The one file that counts, if the user named it. */
  readonly explicitFile?: string | undefined;
  readonly environment: Environment;
  readonly homeDirectory: string;
  readonly vocabulary: Vocabulary;
}

/** The files that a configuration is made of; what stands in an earlier one wins. */
export interface ConfigSources {
  readonly files: readonly string[];
  /** The user named this file: nothing is merged with it, and it must exist. */
  readonly isExplicit: boolean;
}

/** A file that the user names, or else the list in the environment, or else the file in the home directory. */
export function configSources({ explicitFile, environment, homeDirectory, vocabulary }: SourceOptions): ConfigSources {
  if (explicitFile !== undefined && explicitFile !== '') {
    return { files: [resolve(explicitFile)], isExplicit: true };
  }
  const listed = (environment[vocabulary.environment.clientConfig] ?? '')
    .split(delimiter)
    .filter((each) => each !== '');
  const files = listed.length > 0 ? listed : [join(homeDirectory, vocabulary.paths.homeConfig)];
  return { files: [...new Set(files.map((each) => resolve(each)))], isExplicit: false };
}

/** The file that new entries go into: the first that is there, or else the last that may come to be. */
export async function defaultFile({ files }: ConfigSources): Promise<string> {
  for (const file of files) if (await exists(file)) return file;
  return files.at(-1) ?? '';
}

export const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
