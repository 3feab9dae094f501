import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { AnyObject } from '../../../client/plane-client.ts';
import { CommandError } from '../frame/failure.ts';
import type { Io } from '../frame/io.ts';

/** An object as somebody wrote it. */
export interface Manifest {
  readonly object: ManifestObject;
  /** The file, the address, or `STDIN`; for messages. */
  readonly source: string;
}

/** What has to be there; the rest is the plane's to judge. */
export type ManifestObject = Omit<AnyObject, 'metadata'> & {
  readonly metadata: Partial<AnyObject['metadata']>;
};

export interface ManifestFlags {
  readonly filename: readonly string[];
  readonly recursive: boolean;
}

const EXTENSIONS: ReadonlySet<string> = new Set(['.json', '.yaml', '.yml']);
/** More than any plane takes in one request; of one source. */
const MOST_BYTES = 64 * 2 ** 20;

/** The objects in files, folders, at addresses and on standard input (`-`), in order; those of lists one by one. */
export async function* readManifests({ filename, recursive }: ManifestFlags, io: Io): AsyncGenerator<Manifest> {
  for (const name of filename) {
    if (name === '-') yield* manifestsIn(await readAll(io.stdin), 'STDIN');
    else if (/^https?:\/\//.test(name)) yield* manifestsIn(await fetchText(name), name);
    else
      for (const file of await filesAt(name, io.cwd, recursive))
        yield* manifestsIn(await textAt(resolve(io.cwd, file)), file);
  }
}

/** As they were named: relative names stay relative, for messages. */
async function filesAt(name: string, cwd: string, recursive: boolean): Promise<string[]> {
  const path = resolve(cwd, name);
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new CommandError(`the path "${name}" does not exist`);
  if (!found.isDirectory()) return [name];
  const entries = await readdir(path, { withFileTypes: true, recursive });
  return entries
    .filter((entry) => entry.isFile() && EXTENSIONS.has(extname(entry.name)))
    .map((entry) => join(name, relative(path, join(entry.parentPath, entry.name))))
    .sort();
}

async function textAt(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > MOST_BYTES) throw new CommandError(`${file} has ${size} bytes; more than ${MOST_BYTES} are not read`);
  return readFile(file, 'utf8');
}

/** Everything that comes on a stream. */
export async function readAll(stream: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > MOST_BYTES) throw new CommandError(`more than ${MOST_BYTES} bytes are not read`);
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString('utf8');
}

async function fetchText(address: string): Promise<string> {
  const answer = await fetch(address);
  if (!answer.ok) {
    throw new CommandError(`unable to read URL "${address}", server reported ${answer.status} ${answer.statusText}`);
  }
  const { Readable: Streams } = await import('node:stream');
  return answer.body ? readAll(Streams.fromWeb(answer.body as import('node:stream/web').ReadableStream)) : '';
}

/** The documents of a text, which is YAML with any number of them, or JSON. */
export async function* manifestsIn(text: string, source: string): AsyncGenerator<Manifest> {
  for (const document of await documentsIn(text, source)) {
    if (document === null) continue;
    yield* objectsIn(document, source);
  }
}

async function documentsIn(text: string, source: string): Promise<unknown[]> {
  if (text.trimStart().startsWith('{')) {
    try {
      return [JSON.parse(text)];
    } catch {
      // YAML may start with a brace too, and files hold several JSON documents.
    }
  }
  const { parseAllDocuments } = await import('yaml');
  const documents = parseAllDocuments(text, { version: '1.1', merge: true });
  return [...documents].map((document) => {
    const [error] = document.errors;
    if (error) throw new CommandError(`error parsing ${source}: ${error.message}`);
    return document.toJS({ maxAliasCount: 1000 }) as unknown;
  });
}

function* objectsIn(document: unknown, source: string): Generator<Manifest> {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new CommandError(`error parsing ${source}: an object is expected`);
  }
  const { kind, apiVersion, items, metadata = {} } = document as Record<string, unknown>;
  if (typeof kind !== 'string' || kind === '')
    throw new CommandError(`unable to decode "${source}": Object 'Kind' is missing`);
  if (typeof apiVersion !== 'string' || apiVersion === '') {
    throw new CommandError(`unable to decode "${source}": Object 'apiVersion' is missing`);
  }
  if (kind.endsWith('List') && Array.isArray(items)) {
    for (const item of items) yield* objectsIn(item, source);
    return;
  }
  yield { object: { ...(document as object), kind, apiVersion, metadata: metadata ?? {} } as ManifestObject, source };
}
