import { VERSION } from '../../api/release.ts';
import type { APIGroupList } from '../../meta/discovery.ts';
import { type Connection, loadClientConfig, parseClientConfig } from '../../outbound/config.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type Vocabulary, type VocabularyName, vocabularies, vocabularyNamed } from '../../vocabulary/vocabulary.ts';
import { HttpTransport } from '../http-transport.ts';
import { ConfiguredIdentity } from '../identity.ts';
import { withOneError } from '../no-answer.ts';
import { PlaneClient, type Send } from '../plane-client.ts';
import { programRuntime } from '../program-runtime.ts';
import { withRetries } from '../retries.ts';
import { withWarnings } from '../warnings.ts';
import { Client } from './client.ts';

export interface ConnectOptions {
  /** The path of a client configuration. */
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
}

/** A client of the plane that a configuration names. Nothing is sent but the question which names the plane uses. */
export async function connect(options: ConnectOptions = {}): Promise<Client> {
  const { runtime = programRuntime, userAgent = `platform-client/${VERSION}` } = options;
  const connection = await connectionOf(options);
  const transport = new HttpTransport(connection, runtime, userAgent);
  const identity = new ConfiguredIdentity(connection, runtime);
  const send = sendWith(options, runtime, transport.sendAs(identity));
  try {
    const vocabulary = options.vocabulary ? vocabularyNamed(options.vocabulary) : await vocabularyOf(send);
    return new Client({
      send,
      plane: new PlaneClient(send, vocabulary.groups.meta),
      openStream: transport.streamAs(identity),
      runtime,
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

async function connectionOf({ connection, configFile, configText, context }: ConnectOptions): Promise<Connection> {
  if (connection) return connection;
  if (configText !== undefined) return parseClientConfig(configText, process.cwd(), context);
  if (configFile !== undefined) return loadClientConfig(configFile, context);
  throw new TypeError('connect: say where the plane is, with configFile, configText or connection');
}

/** Warnings are told once, of the answer that counts. */
function sendWith({ onWarning }: ConnectOptions, runtime: Runtime, send: Send): Send {
  const retried = withOneError(withRetries(runtime, send));
  return onWarning ? withWarnings(onWarning, retried) : retried;
}

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
