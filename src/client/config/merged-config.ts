import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Fields } from '../../outbound/config-fields.ts';
import {
  type ClientConfig,
  type ConfigEntry,
  ENTRY_FIELDS,
  type EntryList,
  parseConfigText,
  readDocument,
} from '../../outbound/config-file.ts';
import type { ConfigSources } from './config-sources.ts';

/** One file of a configuration. */
export interface LoadedFile {
  readonly file: string;
  /** As it was written. */
  readonly document: Fields;
  readonly config: ClientConfig;
}

/** Files in order of precedence, and what they say together. */
export interface LoadedConfig {
  readonly files: readonly LoadedFile[];
  readonly merged: ClientConfig;
}

/** Reads the files that there are. Files that are missing are passed over, except for one that the user named. */
export async function loadConfig({ files, isExplicit }: ConfigSources): Promise<LoadedConfig> {
  const loaded: LoadedFile[] = [];
  for (const file of files) {
    const document = await readConfigFile(file);
    if (document !== undefined) loaded.push(loadedFile(file, document));
    else if (isExplicit) throw new Error(`${file}: cannot be read (ENOENT)`);
  }
  return { files: loaded, merged: mergeConfigs(loaded.map(({ config }) => config)) };
}

export function loadedFile(file: string, document: Fields): LoadedFile {
  return { file, document, config: prefixing(file, () => readDocument(document, dirname(file), `${file}: `)) };
}

/** Undefined where there is no such file. One without a word in it is an empty configuration. */
export async function readConfigFile(file: string): Promise<Fields | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : String(error);
    if (code === 'ENOENT') return undefined;
    throw new Error(`${file}: cannot be read (${code})`);
  }
  if (text.trim() === '') return {};
  return parseConfigText(text).catch((error: unknown) => prefixing(file, () => raise(error)));
}

function raise(error: unknown): never {
  throw error;
}

function prefixing<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * The first configuration that has an entry, or a current context, decides about all of it: entries of one name are not
 * mixed.
 */
export function mergeConfigs(configs: readonly ClientConfig[]): ClientConfig {
  const merged = (list: EntryList): Map<string, ConfigEntry> => {
    const entries = new Map<string, ConfigEntry>();
    for (const config of configs) {
      for (const [name, entry] of config[list]) if (!entries.has(name)) entries.set(name, entry);
    }
    return entries;
  };
  return {
    clusters: merged('clusters'),
    users: merged('users'),
    contexts: merged('contexts'),
    currentContext: configs.find(({ currentContext }) => currentContext !== undefined)?.currentContext,
  };
}

/** One document that says what all files say together, fields that nobody here knows included. */
export function mergedDocument({ files, merged }: LoadedConfig): Fields {
  const items = (list: EntryList): Fields[] =>
    [...merged[list]].map(([name, { fields }]) => ({ name, [ENTRY_FIELDS[list]]: fields }));
  return {
    ...Object.assign({}, ...files.toReversed().map(({ document }) => document)),
    clusters: items('clusters'),
    users: items('users'),
    contexts: items('contexts'),
    'current-context': merged.currentContext ?? '',
  };
}
