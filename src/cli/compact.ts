import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Runtime, systemRuntime } from '../runtime/runtime.ts';
import { UsageError } from '../settings/flag.ts';
import { FLAGS } from '../settings/settings.ts';
import { compactStore } from '../storage/backends/lmdb/compact-store.ts';

const USAGE = `usage: platform-apiserver compact [--data-dir=DIRECTORY]

Copies the store of a data directory to a file without free pages, which takes its place. Stop the server first. While it
runs it uses free pages again by itself; this gives them back to the disk.
`;

/** `platform-apiserver compact …`: does it and returns what to tell. Throws an Error of one clear line. */
export async function compact(args: readonly string[], runtime: Runtime = systemRuntime): Promise<string> {
  if (args.includes('--help')) return USAGE;
  const options = { 'data-dir': { type: 'string', default: FLAGS.dataDir.fallback } } as const;
  const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options });
  if (positionals.length > 0) throw new UsageError(`compact takes no ${positionals[0]}; compact --help tells more`);
  const store = join(FLAGS.dataDir.read(values['data-dir']), 'store');
  const { before, after } = await compactStore(store, runtime);
  return `${store} has ${after} bytes now, ${before} before\n`;
}
