import { readFile, rename, writeFile } from 'node:fs/promises';
import { discover } from '../client/discovery.ts';
import { HttpTransport } from '../client/http-transport.ts';
import { ConfiguredIdentity } from '../client/identity.ts';
import { isRefusal, PlaneClient } from '../client/plane-client.ts';
import { type RewritingPage, rewriteAll } from '../client/rewriting.ts';
import { apiVersionOfKind, type ServedKind } from '../client/served-kind.ts';
import { loadClientConfig } from '../outbound/config.ts';
import { type Runtime, systemRuntime } from '../runtime/runtime.ts';
import { asksForHelp, readTable, tableHelp } from '../settings/command-line.ts';
import { UsageError } from '../settings/flag.ts';
import { MIGRATE_STORAGE_FLAGS } from '../settings/migrate-storage-flags.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';

const usage = (): string => `usage: platform-apiserver migrate-storage --kubeconfig=FILE [flags]

Has a plane store every object anew that it would store in another form by now: with another key, or in a newer version of
its kind. The plane goes on serving meanwhile. Run again with the same --state it goes on where it was.

${tableHelp(MIGRATE_STORAGE_FLAGS)}`;

/** What is noted of a run: the kinds that are through, and how far the one under way is. */
interface Progress {
  readonly finished: readonly string[];
  readonly kind: string;
  readonly next: string;
}

const BEGINNING: Progress = { finished: [], kind: '', next: '' };

/** `platform-apiserver migrate-storage …`. Throws an Error of one clear line. */
export async function migrateStorage(args: readonly string[], runtime: Runtime = systemRuntime): Promise<string> {
  if (asksForHelp(args)) return usage();
  const settings = readTable(MIGRATE_STORAGE_FLAGS, args);
  if (settings.kubeconfig === '') {
    throw new UsageError('migrate-storage needs --kubeconfig; migrate-storage --help tells more');
  }
  const connection = await loadClientConfig(settings.kubeconfig);
  const transport = new HttpTransport(connection, runtime, 'migrate-storage');
  try {
    const send = transport.sendAs(new ConfiguredIdentity(connection, runtime));
    const client = new PlaneClient(send, vocabularies[settings.vocabulary].groups.meta);
    const { discovered } = await discover(client);
    if (discovered.failures.size > 0) {
      throw new Error(`${[...discovered.failures.keys()].join(', ')} cannot be asked what there is; try again later`);
    }
    const kinds = chosenKinds([...discovered.all()], settings.resources);
    return await migrate(client, kinds, settings.state, settings.parallel);
  } finally {
    transport.close();
  }
}

const nameOf = ({ plural, group }: ServedKind): string => (group === '' ? plural : `${plural}.${group}`);

function chosenKinds(served: readonly ServedKind[], names: readonly string[]): ServedKind[] {
  const unknown = names.find((name) => !served.some((kind) => nameOf(kind) === name));
  if (unknown !== undefined) throw new Error(`--resources: the plane serves no "${unknown}"`);
  return served
    .filter(({ verbs }) => verbs.includes('update'))
    .filter((kind) => names.length === 0 || names.includes(nameOf(kind)));
}

async function migrate(
  client: PlaneClient,
  kinds: readonly ServedKind[],
  state: string | undefined,
  parallel: number,
): Promise<string> {
  let progress = state === undefined ? BEGINNING : await readProgress(state);
  const total = { seen: 0, written: 0 };
  for (const [at, kind] of kinds.entries()) {
    const name = `${nameOf(kind)} ${apiVersionOfKind(kind)}`;
    if (progress.finished.includes(name)) continue;
    const from = progress.kind === name ? progress.next : '';
    for await (const page of pagesOf(client, kind, from, parallel)) {
      total.seen += page.seen;
      total.written += page.written;
      progress = { ...progress, kind: name, next: page.next };
      if (state !== undefined) await writeProgress(state, progress);
      show(`${at + 1} of ${kinds.length} kinds, ${total.seen} objects, ${total.written} stored anew: ${nameOf(kind)}`);
    }
    progress = { finished: [...progress.finished, name], kind: '', next: '' };
    if (state !== undefined) await writeProgress(state, progress);
  }
  show('');
  return `${total.seen} objects of ${kinds.length} kinds are stored as they should be; ${total.written} were stored anew\n`;
}

/** A place in a list is forgotten after a while: then the kind is begun again, which writes nothing twice. */
async function* pagesOf(
  client: PlaneClient,
  kind: ServedKind,
  from: string,
  parallel: number,
): AsyncGenerator<RewritingPage> {
  try {
    yield* rewriteAll(client, kind, from, parallel);
  } catch (error) {
    if (!isRefusal(error, 'Expired', 'Gone')) throw error;
    yield* rewriteAll(client, kind, '', parallel);
  }
}

async function readProgress(file: string): Promise<Progress> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return BEGINNING;
  try {
    return { ...BEGINNING, ...JSON.parse(text) };
  } catch (cause) {
    throw new Error(`--state ${file} is not what an earlier run wrote`, { cause });
  }
}

/** All of it or nothing: the run may be ended at any moment. */
async function writeProgress(file: string, progress: Progress): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(progress)}\n`);
  await rename(`${file}.new`, file);
}

/** In place, on a terminal; elsewhere the last line says it all. */
function show(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`);
}
