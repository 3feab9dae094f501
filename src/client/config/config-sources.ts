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
  /** Where paths on a command line and in the environment start; that of the process when absent. */
  readonly workingDirectory?: string | undefined;
  /** Whose variables and files count, in order of precedence. */
  readonly vocabularies: readonly Vocabulary[];
}

/** The files that a configuration is made of; what stands in an earlier one wins. */
export interface ConfigSources {
  readonly files: readonly string[];
  /** The user named this file: nothing is merged with it, and it must exist. */
  readonly isExplicit: boolean;
}

/**
 * A file that the user names, or else the list in the environment, or else the file in the home directory. Configurations of
 * two vocabularies are not merged: the first that there is counts.
 */
export async function configSources(options: SourceOptions): Promise<ConfigSources> {
  const { explicitFile, environment, homeDirectory, workingDirectory = '', vocabularies } = options;
  if (explicitFile !== undefined && explicitFile !== '') {
    return { files: [resolve(workingDirectory, explicitFile)], isExplicit: true };
  }
  for (const { clientConfiguration } of vocabularies) {
    const listed = (environment[clientConfiguration.variable] ?? '').split(delimiter).filter((each) => each !== '');
    const files = [...new Set(listed.map((each) => resolve(workingDirectory, each)))];
    if (files.length > 0) return { files, isExplicit: false };
  }
  const inHome = vocabularies.map(({ clientConfiguration: { folder } }) => join(homeDirectory, folder, 'config'));
  for (const file of inHome) if (await exists(file)) return { files: [file], isExplicit: false };
  return { files: inHome.slice(0, 1), isExplicit: false };
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
