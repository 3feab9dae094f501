import type { Connection } from '../../outbound/config.ts';
import type { PluginSettings } from '../../outbound/config-entries.ts';
import type { OutboundHeaders } from '../../outbound/outbound.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { Environment } from '../config/config-sources.ts';
import { type ClientCertificate, type Identity, impersonation } from '../identity.ts';
import { type PluginCredential, pluginInput, readPluginOutput } from './exec-credential.ts';
import { findExecutable } from './executable.ts';
import { PluginFailure } from './plugin-failure.ts';
import { runPlugin } from './plugin-process.ts';

/** Some plugins open a browser and wait for their user to come back from it. */
const TIMEOUT_MS = 5 * 60_000;
/** Far more than any token or chain of certificates takes. */
const MOST_BYTES = 1024 * 1024;

const VERSIONS = ['v1', 'v1beta1'];

/** What a plugin has around it. */
export interface PluginSurroundings {
  /** Whose plugins may be run: which it is, the version of their objects says. */
  readonly vocabularies: readonly Vocabulary[];
  readonly runtime: Runtime;
  /** Variables of this process, which the plugin gets too. */
  readonly environment: Environment;
  /** Whether standard input is a terminal that nobody else reads from. */
  readonly hasTerminal: boolean;
  /** Where it talks to its user; to the standard error of this process unless given. */
  readonly stderr?: 'inherit' | 'ignore';
  readonly timeoutMs?: number;
}

interface HeldCredential extends PluginCredential {
  readonly headers: OutboundHeaders;
}

/**
 * The user that a credential plugin speaks for. The plugin is run when there is no credential, when the one there is has
 * expired, and when a server refused it; never twice at once, however many requests wait for it.
 */
export class PluginIdentity implements Identity {
  readonly #connection: Connection;
  readonly #plugin: PluginSettings;
  readonly #surroundings: PluginSurroundings;
  readonly #vocabulary: Vocabulary;
  #held: HeldCredential | undefined;
  #running: Promise<HeldCredential> | undefined;

  /** Throws when the plugin is configured in a way in which it could never be run. */
  constructor(connection: Connection, plugin: PluginSettings, surroundings: PluginSurroundings) {
    this.#connection = connection;
    this.#plugin = plugin;
    this.#surroundings = surroundings;
    this.#vocabulary = vocabularyOf(plugin, surroundings.vocabularies);
  }

  async headers(): Promise<OutboundHeaders> {
    return (await this.#current()).headers;
  }

  async certificate(): Promise<ClientCertificate | undefined> {
    const { certificate } = await this.#current();
    const { clientCertificate, clientKey } = this.#connection;
    if (certificate !== undefined || clientCertificate === undefined || clientKey === undefined) return certificate;
    return { certificate: clientCertificate, key: clientKey };
  }

  /** An answer may be late: what was shown long ago says nothing about the credential that has taken its place. */
  refused(shown?: OutboundHeaders): void {
    if (shown === undefined || shown.authorization === this.#held?.headers.authorization) this.#held = undefined;
  }

  async #current(): Promise<HeldCredential> {
    const held = this.#held;
    if (held && (held.expiresAt === undefined || this.#surroundings.runtime.now() < held.expiresAt)) return held;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<HeldCredential> {
    const credential = await this.#ask().catch((error: unknown) => {
      if (!(error instanceof PluginFailure)) throw error;
      const { command, installHint } = this.#plugin;
      const hint = error.reason === 'NotFound' && installHint !== undefined ? `: ${printable(installHint)}` : '';
      throw new PluginFailure(error.reason, `credential plugin ${command}: ${error.message}${hint}`);
    });
    const { token } = credential;
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.#held = { ...credential, headers: { ...authorization, ...impersonation(this.#connection) } };
    return this.#held;
  }

  async #ask(): Promise<PluginCredential> {
    const { command, args, env, apiVersion } = this.#plugin;
    const { runtime, environment, stderr = 'inherit', timeoutMs = TIMEOUT_MS } = this.#surroundings;
    const isInteractive = this.#isInteractive();
    const output = await runPlugin(
      {
        file: await findExecutable(command, environment.PATH ?? ''),
        args,
        environment: {
          ...environment,
          ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
          [this.#vocabulary.environment.execInfo]: pluginInput(apiVersion, isInteractive, this.#clusterInfo()),
        },
        isInteractive,
        stderr,
        timeoutMs,
        mostBytes: MOST_BYTES,
      },
      runtime,
    );
    return readPluginOutput(output, apiVersion, runtime.now());
  }

  #clusterInfo(): { readonly connection: Connection; readonly extension: string } | undefined {
    if (!this.#plugin.provideClusterInfo) return undefined;
    const extension = `${this.#vocabulary.groups.clientAuthentication}/exec`;
    return { connection: this.#connection, extension };
  }

  #isInteractive(): boolean {
    const { interactiveMode } = this.#plugin;
    const { hasTerminal } = this.#surroundings;
    if (interactiveMode === 'Always' && !hasTerminal) {
      throw new PluginFailure('NotInteractive', 'needs to ask its user, and standard input is not a terminal');
    }
    return hasTerminal && interactiveMode !== 'Never';
  }
}

function vocabularyOf(plugin: PluginSettings, vocabularies: readonly Vocabulary[]): Vocabulary {
  const { command, apiVersion, interactiveMode } = plugin;
  const misconfigured = (what: string) => new PluginFailure('Misconfigured', `credential plugin ${command}: ${what}`);
  const versionsOf = ({ groups }: Vocabulary) => VERSIONS.map((version) => `${groups.clientAuthentication}/${version}`);
  const vocabulary = vocabularies.find((each) => versionsOf(each).includes(apiVersion));
  if (vocabulary === undefined) {
    const known = vocabularies.flatMap(versionsOf).join(', ');
    throw misconfigured(`apiVersion ${apiVersion} is not supported; there are ${known}`);
  }
  if (apiVersion.endsWith('/v1') && interactiveMode === undefined) {
    throw misconfigured(`interactiveMode is required in ${apiVersion}: Never, IfAvailable or Always`);
  }
  return vocabulary;
}

/** Without what would move the cursor of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const printable = (text: string): string => text.trim().replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
