import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type VocabularyName, vocabularies } from '../../../vocabulary/vocabulary.ts';
import { type ServedResource, ServedResources } from './served-resources.ts';

/** What is older is asked for again. */
const FRESH_MS = 10 * 60_000;
const MOST_BYTES = 8 * 2 ** 20;
/** Planes that are remembered. */
const MOST_FILES = 64;
const FORMAT = 1;

interface RememberedFile {
  readonly format: number;
  readonly server: string;
  readonly at: number;
  readonly vocabulary: VocabularyName;
  readonly resources: readonly ServedResource[];
}

/**
 * What a plane served when it was last asked, in a file for each plane. Many processes may read and write it: a file is
 * replaced as a whole. That it cannot be read or written is no failure, as the plane can be asked.
 */
export class ResourceMemory {
  readonly #folder: string;
  readonly #server: string;

  constructor(cacheFolder: string, server: string) {
    this.#folder = join(cacheFolder, 'discovery');
    this.#server = server;
  }

  get #file(): string {
    return join(
      this.#folder,
      `${this.#server
        .replace(/^https?:\/\//, '')
        .replaceAll(/[^\w.-]/g, '_')
        .slice(0, 200)}.json`,
    );
  }

  /** Undefined where nothing is remembered, or it is too old. */
  async read(now: number): Promise<ServedResources | undefined> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    const remembered = parsed(text);
    if (remembered?.format !== FORMAT || remembered.server !== this.#server) return undefined;
    const age = now - remembered.at;
    if (!(age >= 0 && age < FRESH_MS)) return undefined;
    return new ServedResources(remembered.resources, vocabularies[remembered.vocabulary]);
  }

  async write({ all, vocabulary }: ServedResources, now: number): Promise<void> {
    const remembered: RememberedFile = {
      format: FORMAT,
      server: this.#server,
      at: now,
      vocabulary: vocabulary.name,
      resources: all,
    };
    const text = JSON.stringify(remembered);
    if (text.length > MOST_BYTES) return;
    const draft = `${this.#file}.${process.pid}-${randomBytes(4).toString('hex')}`;
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o750 });
      await writeFile(draft, text, { mode: 0o660 });
      await rename(draft, this.#file);
      await this.#forgetOldest();
    } catch {
      // A folder that cannot be written to costs time, and nothing else.
      await rm(draft, { force: true }).catch(() => {});
    }
  }

  async #forgetOldest(): Promise<void> {
    const names = await readdir(this.#folder);
    if (names.length <= MOST_FILES) return;
    const files = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(this.#folder, name))).mtimeMs })),
    );
    const oldest = files.sort((a, b) => a.at - b.at).slice(0, names.length - MOST_FILES);
    for (const { name } of oldest) await rm(join(this.#folder, name), { force: true });
  }
}

/** Whatever is in the file: others may have written it. */
function parsed(text: string): RememberedFile | undefined {
  try {
    const file = text === '' ? undefined : (JSON.parse(text) as RememberedFile);
    return file && Array.isArray(file.resources) && Object.hasOwn(vocabularies, file.vocabulary) ? file : undefined;
  } catch {
    return undefined;
  }
}
