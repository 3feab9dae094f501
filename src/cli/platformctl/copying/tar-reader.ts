import type { Readable } from 'node:stream';
import { ByteReader } from '../../../client/streams/byte-reader.ts';
import { BLOCK, padding, type RawHeader, readHeader, readRecords, type TarEntry } from './tar-format.ts';

/** Of extended headers: names are far shorter. */
const MOST_EXTENDED_BYTES = 1024 * 1024;
const MOST_PIECE = 64 * 1024;
/** Letters of GNU for a long name and for a long link. */
const [LONG_NAME, LONG_LINK] = ['L', 'K'];

export interface ReadEntry extends TarEntry {
  /** Whatever of it is not read is passed over. */
  contents(): AsyncGenerator<Buffer>;
}

/** The entries of an archive as it comes. Throws where it is none, or ends too early. */
export async function* readTar(archive: Readable): AsyncGenerator<ReadEntry> {
  const reader = new ByteReader(archive);
  let extended = new Map<string, string>();
  for (;;) {
    const header = readHeader(await reader.exactly(BLOCK));
    if (!header) break;
    const records = await readExtension(header, reader);
    if (records) {
      // What holds for all entries is of no interest here.
      if (header.letter !== 'g') extended = new Map([...extended, ...records]);
      continue;
    }
    const entry = completed(header, extended);
    extended = new Map();
    let left = entry.size;
    const contents = async function* (): AsyncGenerator<Buffer> {
      while (left > 0) {
        const piece = await reader.some(Math.min(left, MOST_PIECE));
        left -= piece.length;
        yield piece;
      }
    };
    yield { ...entry, contents };
    for await (const _rest of contents());
    await reader.exactly(padding(entry.size));
  }
  archive.resume();
}

async function readExtension(
  { letter, size }: RawHeader,
  reader: ByteReader,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (!['x', 'g', LONG_NAME, LONG_LINK].includes(letter)) return undefined;
  if (size > MOST_EXTENDED_BYTES) throw new Error('tar contents corrupted');
  const bytes = (await reader.exactly(size + padding(size))).subarray(0, size);
  if (letter === 'x' || letter === 'g') return readRecords(bytes);
  const text = bytes.toString('utf8').replace(/\0.*$/s, '');
  return new Map([[letter === LONG_NAME ? 'path' : 'linkpath', text]]);
}

function completed(header: RawHeader, extended: ReadonlyMap<string, string>): TarEntry {
  const size = extended.get('size');
  if (size !== undefined && !/^\d{1,15}$/.test(size)) throw new Error('tar contents corrupted');
  return {
    ...header,
    name: extended.get('path') ?? header.name,
    target: extended.get('linkpath') ?? header.target,
    size: size === undefined ? header.size : Number(size),
  };
}
