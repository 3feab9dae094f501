import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Runtime, systemRuntime } from '../runtime/runtime.ts';
import { asksForHelp } from '../settings/command-line.ts';
import { UsageError } from '../settings/flag.ts';
import { FLAGS } from '../settings/settings.ts';
import { StorageRefused } from '../storage/backend.ts';
import { createStore, withState } from '../storage/backends/lmdb/lmdb-state.ts';
import {
  SnapshotDamaged,
  type SnapshotHeader,
  SnapshotReader,
  writeSnapshot,
} from '../storage/snapshot/snapshot-file.ts';

const USAGE = `usage: platform-apiserver snapshot save FILE [--data-dir=DIRECTORY]
       platform-apiserver snapshot restore FILE [--data-dir=DIRECTORY] [--vocabulary=NAME]
       platform-apiserver snapshot inspect FILE

save     copies all objects as of one moment to FILE; a server may be running
restore  makes the store of a data directory that has none
inspect  verifies FILE and tells what it holds
`;

interface Request {
  readonly file: string;
  /** Where the embedded store of the data directory is. */
  readonly store: string;
  readonly vocabulary: string;
  readonly runtime: Runtime;
}

const ACTIONS: Readonly<Record<string, (request: Request) => Promise<string>>> = { save, restore, inspect };

/** `platform-apiserver snapshot …`: does it and returns what to tell. Throws an Error of one clear line. */
export async function snapshot(args: readonly string[], runtime: Runtime = systemRuntime): Promise<string> {
  if (asksForHelp(args)) return USAGE;
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'data-dir': { type: 'string', default: FLAGS.dataDir.fallback },
      vocabulary: { type: 'string', default: FLAGS.vocabulary.fallback },
    },
  });
  const [word = '', file, ...more] = positionals;
  const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
  if (action === undefined || file === undefined || more.length > 0) {
    throw new UsageError('snapshot needs save, restore or inspect, and one FILE; snapshot --help tells more');
  }
  const vocabulary = FLAGS.vocabulary.read(values.vocabulary);
  return action({ file, store: join(FLAGS.dataDir.read(values['data-dir']), 'store'), vocabulary, runtime });
}

function save({ file, store, runtime }: Request): Promise<string> {
  return withState({ directory: store, runtime }, async ({ vocabulary, revision, count, versions }) => {
    const created = new Date(runtime.now()).toISOString();
    await writeSnapshot(file, { vocabulary, revision, count, created }, versions);
    return `saved ${count} objects as of revision ${revision} to ${file}\n`;
  });
}

function restore({ file, store, vocabulary, runtime }: Request): Promise<string> {
  return reading(file, async (reader) => {
    const { count, revision, ...header } = reader.header;
    if (header.vocabulary !== vocabulary) {
      throw new StorageRefused(`${file} is written in the vocabulary ${header.vocabulary}, not in ${vocabulary}`);
    }
    const begins = await createStore({ runtime, directory: store, vocabulary, revision }, reader.batches());
    return `restored ${count} objects to ${store}; revisions go on from ${begins}\n`;
  });
}

function inspect({ file }: Request): Promise<string> {
  return reading(file, async (reader) => {
    const counts = new Map<string, number>();
    for await (const batch of reader.batches()) {
      for (const { key } of batch) {
        const [, collection = ''] = key.split('/', 2);
        counts.set(collection, (counts.get(collection) ?? 0) + 1);
      }
    }
    return description(reader.header, counts);
  });
}

async function reading<T>(file: string, use: (reader: SnapshotReader) => Promise<T>): Promise<T> {
  const reader = await SnapshotReader.open(file).catch((cause: unknown) => {
    if (cause instanceof SnapshotDamaged) throw cause;
    throw new Error(`cannot read ${file}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  });
  return use(reader).finally(() => reader.close());
}

function description({ vocabulary, revision, count, created }: SnapshotHeader, counts: Map<string, number>): string {
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    `vocabulary  ${vocabulary}`,
    `revision    ${revision}`,
    `created     ${created}`,
    `objects     ${count}`,
    ...sorted.map(([collection, number]) => `  ${String(number).padStart(8)}  ${collection}`),
    'the checksum is right',
    '',
  ].join('\n');
}
