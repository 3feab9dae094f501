import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const unzip = promisify(gunzip);

/** One file as the build leaves it: compressed once, under the path that browsers ask for below `/console/`. */
export interface ConsoleFile {
  readonly type: string;
  readonly compressed: Buffer;
  /** As it was before it was compressed, for clients that take nothing else. */
  plain(): Promise<Buffer>;
}

/** What the build says of its files; only what it names is ever read. */
interface Manifest {
  readonly files: Readonly<Record<string, { readonly type: string }>>;
}

const MANIFEST = 'manifest.json';

/** Where the build puts the files, seen from a bundle, from a command beside it, and from the sources. */
const PLACES = ['./console/', '../console/', '../../dist/console/'];

/** The folder with the files of the console; undefined where they were not built. */
export const builtConsole = (): string | undefined =>
  PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((folder) =>
    existsSync(join(folder, MANIFEST)),
  );

/** Makes a value when it is wanted and nobody has it any more. However many want it at the same time, there is one. */
function sharedWhileUsed<T extends object>(make: () => Promise<T>): () => Promise<T> {
  let made: WeakRef<T> | undefined;
  let making: Promise<T> | undefined;
  const makeAnew = async (): Promise<T> => {
    try {
      const value = await make();
      made = new WeakRef(value);
      return value;
    } finally {
      making = undefined;
    }
  };
  return async () => {
    const known = made?.deref();
    if (known) return known;
    making ??= makeAnew();
    return making;
  };
}

/** The files of a folder by the paths that the manifest names. They are read when somebody wants them, and kept. */
export class ConsoleFiles {
  readonly #folder: string;
  readonly #read = new Map<string, Promise<ConsoleFile>>();
  #manifest: Promise<Manifest> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined: there is no such file. What could not be read is tried anew by the next who wants it. */
  async find(path: string): Promise<ConsoleFile | undefined> {
    this.#manifest ??= this.#readManifest().catch((error) => {
      this.#manifest = undefined;
      throw error;
    });
    const { files } = await this.#manifest;
    const known = Object.hasOwn(files, path) ? files[path] : undefined;
    if (known === undefined) return undefined;
    const read = this.#read.get(path);
    if (read) return read;
    const reading = this.#load(path, known.type).catch((error) => {
      this.#read.delete(path);
      throw error;
    });
    this.#read.set(path, reading);
    return reading;
  }

  async #readManifest(): Promise<Manifest> {
    return JSON.parse(await readFile(join(this.#folder, MANIFEST), 'utf8'));
  }

  async #load(path: string, type: string): Promise<ConsoleFile> {
    const compressed = await readFile(join(this.#folder, `${path}.gz`));
    return { type, compressed, plain: sharedWhileUsed(() => unzip(compressed)) };
  }
}
