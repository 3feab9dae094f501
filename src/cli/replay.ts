import { parseArgs } from 'node:util';
import { loadConnection, readConnection } from '../client/config/load-connection.ts';
import { type Client, connect } from '../client/index.ts';
import type { Connection } from '../outbound/config.ts';
import { asksForHelp } from '../settings/command-line.ts';
import { UsageError } from '../settings/flag.ts';
import type { RecordingHeader } from '../testing/recording/recorded.ts';
import { readRecording } from '../testing/recording/recording-file.ts';
import { type ReplayOutcome, replay as replayExchanges, type Sender } from '../testing/recording/replay.ts';
import { startTestPlane } from '../testing/test-plane.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';

const USAGE = `usage: platform-apiserver replay FILE [--kubeconfig=FILE]

Sends the requests of a recording once more, one after the other, as those who sent them, and tells which answers differ.
Versions, uids and times are not compared. They go to a fresh plane in memory, or to the one that --kubeconfig names, whose
user must be allowed to act as others. Watches and requests of control loops are not sent.
`;

/** So many who sent requests have a connection each. */
const MOST_SENDERS = 1_000;
const MOST_TOLD = 100;

/** `platform-apiserver replay …`: does it and returns what to tell. Throws an Error of one clear line. */
export async function replay(args: readonly string[]): Promise<string> {
  if (asksForHelp(args)) return USAGE;
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { kubeconfig: { type: 'string' } },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError('replay needs one FILE; replay --help tells more');
  const { header, exchanges } = await readRecording(file);
  if (values.kubeconfig !== undefined) {
    const connection = await namedConnection(values.kubeconfig, header);
    return told(await replayAt(connection, header, exchanges));
  }
  await using plane = await startTestPlane({ vocabulary: header.vocabulary });
  return told(await replayAt(await readConnection(plane.server.adminConfig, process.cwd()), header, exchanges));
}

const namedConnection = (explicitFile: string, { vocabulary }: RecordingHeader): Promise<Connection> =>
  loadConnection({ explicitFile, environment: {}, homeDirectory: '', vocabularies: [vocabularies[vocabulary]] });

async function replayAt(
  connection: Connection,
  { vocabulary }: RecordingHeader,
  exchanges: Parameters<typeof replayExchanges>[0],
): Promise<ReplayOutcome> {
  const clients = new Map<string, Client>();
  const clientFor = async ({ client: user, groups, agent: userAgent }: Sender): Promise<Client> => {
    const key = JSON.stringify([user, groups, userAgent]);
    const known = clients.get(key);
    if (known) return known;
    if (clients.size >= MOST_SENDERS) throw new Error(`more than ${MOST_SENDERS} users and programs sent requests`);
    const impersonate = { user, uid: undefined, groups, extra: {} };
    const made = await connect({ connection: { ...connection, impersonate }, vocabulary, userAgent });
    clients.set(key, made);
    return made;
  };
  try {
    return await replayExchanges(exchanges, async (sender) => {
      const client = await clientFor(sender);
      return (request) => client.raw(request);
    });
  } finally {
    for (const client of clients.values()) client.close();
  }
}

function told({ played, skipped, differences }: ReplayOutcome): string {
  const lines = differences
    .slice(0, MOST_TOLD)
    .flatMap(({ number, request, differs }) => [`${number}  ${request}`, ...differs.map((one) => `     ${one}`)]);
  if (differences.length > MOST_TOLD) lines.push(`and ${differences.length - MOST_TOLD} more`);
  const count = differences.length === 0 ? 'no answer differs' : `${differences.length} answers differ`;
  const summary = `${played} requests were sent, ${skipped} were not; ${count}`;
  return [...lines, summary].map((line) => `${line}\n`).join('');
}
