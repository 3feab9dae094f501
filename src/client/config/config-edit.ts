import { mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Fields } from '../../outbound/config-fields.ts';
import { type ClientConfig, ENTRY_FIELDS, type EntryList } from '../../outbound/config-file.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { isObject } from '../../schema/json-object.ts';
import { layoutConfig } from './config-layout.ts';
import { withLocks } from './config-lock.ts';
import { type ConfigSources, defaultFile, exists } from './config-sources.ts';
import { type LoadedFile, loadedFile, mergeConfigs, readConfigFile } from './merged-config.ts';

/** How a configuration becomes the text of a file. */
export type WriteText = (document: Fields) => string;

/**
 * Changes a configuration of several files: an entry in the file that it came from, a new one in the first file that there
 * is, or else in the last that may come to be. Nothing is written when the change throws.
 */
export async function changeConfig<T>(
  sources: ConfigSources,
  runtime: Runtime,
  write: WriteText,
  change: (edit: ConfigEdit) => T | Promise<T>,
): Promise<T> {
  const file = await defaultFile(sources);
  const present: string[] = [];
  for (const each of sources.files) if (each === file || (await exists(each))) present.push(each);
  return withLocks(present, runtime, async () => {
    const edit = await ConfigEdit.open(sources, file);
    const result = await change(edit);
    for (const [changed, document] of edit.changes())
      await writeConfig(changed, write(layoutConfig(document)), runtime);
    return result;
  });
}

/** A configuration that is being changed. */
export class ConfigEdit {
  readonly defaultFile: string;
  readonly #isExplicit: boolean;
  /** In order of precedence, those that are missing included. */
  readonly #files: readonly string[];
  readonly #before: ReadonlyMap<string, Fields>;
  readonly #documents: Map<string, Fields>;

  private constructor(sources: ConfigSources, file: string, documents: ReadonlyMap<string, Fields>) {
    this.defaultFile = file;
    this.#isExplicit = sources.isExplicit;
    this.#files = sources.files;
    this.#before = documents;
    this.#documents = new Map(documents);
  }

  static async open(sources: ConfigSources, file: string): Promise<ConfigEdit> {
    const documents = new Map<string, Fields>();
    for (const each of sources.files) {
      const document = await readConfigFile(each);
      if (document !== undefined) documents.set(each, document);
    }
    return new ConfigEdit(sources, file, documents);
  }

  /** What the files say together, with what was changed. */
  get config(): ClientConfig {
    return mergeConfigs(this.#loaded().map(({ config }) => config));
  }

  entry(list: EntryList, name: string): Fields | undefined {
    return this.config[list].get(name)?.fields;
  }

  /** Where an entry is, or where it would be put. */
  fileOf(list: EntryList, name: string): string {
    return this.#loaded().find(({ config }) => config[list].has(name))?.file ?? this.defaultFile;
  }

  set(list: EntryList, name: string, fields: Fields, file = this.fileOf(list, name)): void {
    const document = this.#documents.get(file) ?? {};
    const items = itemsOf(document, list);
    const at = items.findIndex((item) => isObject(item) && item.name === name);
    const former = items[at];
    const item = { ...(isObject(former) ? former : {}), name, [ENTRY_FIELDS[list]]: fields };
    this.#put(file, { ...document, [list]: at < 0 ? [...items, item] : items.with(at, item) });
  }

  remove(list: EntryList, name: string): void {
    const file = this.fileOf(list, name);
    const document = this.#documents.get(file) ?? {};
    const left = itemsOf(document, list).filter((item) => !(isObject(item) && item.name === name));
    this.#put(file, { ...document, [list]: left });
  }

  /** '' for none: then the first file that names one names none any more. */
  setCurrentContext(name: string): void {
    const naming = this.#loaded().find(({ config }) => config.currentContext !== undefined)?.file;
    const file = name === '' && !this.#isExplicit ? naming : this.defaultFile;
    if (file !== undefined) this.#put(file, { ...this.#documents.get(file), 'current-context': name });
  }

  setPreferences(preferences: Fields): void {
    const file = this.#isExplicit ? this.defaultFile : (this.#files[0] ?? this.defaultFile);
    this.#put(file, { ...this.#documents.get(file), preferences });
  }

  get preferences(): Fields {
    const found = this.#loaded().find(({ document }) => isObject(document.preferences))?.document.preferences;
    return isObject(found) ? found : {};
  }

  /** Files with what is to be in them from now on. */
  *changes(): Generator<readonly [file: string, document: Fields]> {
    for (const [file, document] of this.#documents) {
      if (!isDeepStrictEqual(document, this.#before.get(file) ?? {})) yield [file, document];
    }
  }

  #put(file: string, document: Fields): void {
    this.#documents.set(file, document);
  }

  #loaded(): LoadedFile[] {
    return this.#files.flatMap((file) => {
      const document = this.#documents.get(file);
      return document === undefined ? [] : [loadedFile(file, document)];
    });
  }
}

const itemsOf = (document: Fields, list: EntryList): readonly unknown[] => {
  const items = document[list];
  return Array.isArray(items) ? items : [];
};

/** Readers see the former file or the new one, never half of it. A link stays one, to a file that is replaced. */
async function writeConfig(file: string, text: string, runtime: Runtime): Promise<void> {
  const target = (await exists(file)) ? await realpath(file) : file;
  const temporary = `${target}.${runtime.uuid()}`;
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
