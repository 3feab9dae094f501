import { homedir } from 'node:os';
import { VERSION } from '../../api/release.ts';
import type { APIGroupList } from '../../meta/discovery.ts';
import type { Connection } from '../../outbound/config.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type Vocabulary, type VocabularyName, vocabularies, vocabularyNamed } from '../../vocabulary/vocabulary.ts';
import { loadConnection, readConnection } from '../config/load-connection.ts';
import { identityOf } from '../credentials/identity-of.ts';
import type { PluginSurroundings } from '../credentials/plugin-identity.ts';
import { HttpTransport } from '../http-transport.ts';
import { withOneError } from '../no-answer.ts';
import { PlaneClient, type Send } from '../plane-client.ts';
import { programRuntime } from '../program-runtime.ts';
import { withWarnings } from '../warnings.ts';
import { Client } from './client.ts';

/** Which plane, as whom, and how the client says what it is. */
export interface ConnectOptions {
  /** The path of a client configuration. Without any, those count that the environment names, or the one in the home directory. */
  readonly configFile?: string | undefined;
  /** A client configuration itself. Relative paths in it start from the working directory. */
  readonly configText?: string | undefined;
  /** A plane and whom it is to see, with everything read. */
  readonly connection?: Connection | undefined;
  /** Which context of the configuration; the current one when absent. */
  readonly context?: string | undefined;
  /** Where kinds with namespaces are looked for; that of the context, or `default`, when absent. */
  readonly namespace?: string | undefined;
  /** The names that the plane uses; found out from what it serves when absent. */
  readonly vocabulary?: VocabularyName | undefined;
  /** Who the plane is told that sends requests: `program/version`. */
  readonly userAgent?: string | undefined;
  /** The owner of fields that are written; the program of the user agent when absent. */
  readonly fieldManager?: string | undefined;
  /** Told what the plane thinks of requests that it granted all the same. */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** Time and chance. */
  readonly runtime?: Runtime | undefined;
  /** Time of controllers and of leadership, where it is another than that of connections. For tests that advance it. */
  readonly clock?: Runtime | undefined;
}

/**
 * A client of the plane that a configuration names: the one that is given, or else what the environment, the home directory
 * or the pod around the process says. Nothing is sent but the question which names the plane uses.
 */
export async function connect(options: ConnectOptions = {}): Promise<Client> {
  const { runtime = programRuntime, userAgent = `platform-client/${VERSION}` } = options;
  const connection = await connectionOf(options);
  const identity = await identityOf(connection, surroundings(options, runtime));
  const transport = new HttpTransport(connection, runtime, userAgent);
  const unwrapped = withinTime(connection, transport.sendAs(identity));
  const send = withOneError(options.onWarning ? withWarnings(options.onWarning, unwrapped) : unwrapped);
  const openStream = transport.streamAs(identity);
  try {
    const vocabulary = options.vocabulary ? vocabularyNamed(options.vocabulary) : await vocabularyOf(send);
    // An informer looks at what is behind an error.
    const client = new PlaneClient(unwrapped, vocabulary.groups.meta);
    return new Client({
      send,
      plane: new PlaneClient(send, vocabulary.groups.meta),
      openStream,
      open: transport.openAs(identity),
      dial: transport.dialAs(identity),
      informed: { runtime, client, openStream, vocabulary },
      runtime,
      clock: options.clock ?? runtime,
      vocabulary,
      fieldManager: options.fieldManager ?? programIn(userAgent),
      namespace: options.namespace ?? connection.namespace ?? 'default',
      close: () => transport.close(),
    });
  } catch (error) {
    transport.close();
    throw error;
  }
}

async function connectionOf(options: ConnectOptions): Promise<Connection> {
  const { connection, configFile, configText, context } = options;
  if (connection) return connection;
  if (configText !== undefined) return readConnection(configText, process.cwd(), { context });
  return loadConnection({
    explicitFile: configFile,
    environment: process.env,
    homeDirectory: homedir(),
    workingDirectory: process.cwd(),
    vocabularies: spokenBy(options),
    overrides: { context },
  });
}

const spokenBy = ({ vocabulary }: ConnectOptions): readonly Vocabulary[] =>
  vocabulary ? [vocabularyNamed(vocabulary)] : Object.values(vocabularies);

/** What a credential plugin has around it. */
const surroundings = (options: ConnectOptions, runtime: Runtime): PluginSurroundings => ({
  vocabularies: spokenBy(options),
  runtime,
  environment: process.env,
  hasTerminal: process.stdin.isTTY === true,
});

/** A configuration may say how long requests take at most. */
const withinTime = ({ requestTimeoutMs }: Connection, send: Send): Send =>
  requestTimeoutMs === undefined ? send : (request) => send({ timeoutMs: requestTimeoutMs, ...request });

/** As a plane finds the owner of fields in a user agent. */
const programIn = (userAgent: string): string => userAgent.split('/')[0] ?? userAgent;

/** The vocabulary that the name of a group belongs to which every plane serves. */
async function vocabularyOf(send: Send): Promise<Vocabulary> {
  const { groups } = await new PlaneClient(send, '').document<APIGroupList>('/apis');
  const names = new Set((groups ?? []).map(({ name }) => name));
  const found = Object.values(vocabularies).find((one) => Object.values(one.groups).some((group) => names.has(group)));
  if (!found)
    throw new TypeError('connect: which names the plane uses cannot be told from its groups; give `vocabulary`');
  return found;
}
