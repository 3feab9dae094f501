import { type Connection, entryNamed, resolveConnection } from '../../outbound/config.ts';
import { textField } from '../../outbound/config-fields.ts';
import { type ClientConfig, type ConfigEntry, decodeClientConfig } from '../../outbound/config-file.ts';
import { type ConfigSources, configSources, type SourceOptions } from './config-sources.ts';
import { inClusterConfig } from './in-cluster.ts';
import { loadConfig } from './merged-config.ts';
import { type ConfigOverrides, overrideCluster, overrideUser, withPaths } from './overrides.ts';

export interface ConnectionOptions extends SourceOptions {
  readonly overrides?: ConfigOverrides | undefined;
  /** Where pods find the files of their service account, unless it is the usual place. */
  readonly serviceAccountMount?: string | undefined;
}

/**
 * The server and the user that configuration files, the environment and a command line say together. Without any
 * configuration a process in a pod is its service account. Throws one line that says what is missing or wrong, and where.
 */
export async function loadConnection(options: ConnectionOptions): Promise<Connection> {
  const { overrides = {}, workingDirectory = '' } = options;
  const sources = await configSources(options);
  const { merged } = await loadConfig(sources);
  const inPod =
    sources.isExplicit || !isEmpty(merged) || overrides.context !== undefined ? undefined : await inPodConfig(options);
  return connectionOf(inPod ?? merged, withPaths(overrides, workingDirectory), sources);
}

/** As `loadConnection`, of a configuration that is at hand. Relative paths in it start from `directory`. */
export async function readConnection(
  text: string,
  directory: string,
  overrides: ConfigOverrides = {},
): Promise<Connection> {
  const sources = { files: ['the text'], isExplicit: true };
  return connectionOf(await decodeClientConfig(text, directory), withPaths(overrides, directory), sources);
}

async function inPodConfig(options: ConnectionOptions): Promise<ClientConfig | undefined> {
  const { vocabularies, environment, serviceAccountMount } = options;
  for (const vocabulary of vocabularies) {
    const found = await inClusterConfig(vocabulary, environment, serviceAccountMount);
    if (found) return found;
  }
  return undefined;
}

const isEmpty = ({ clusters, users, contexts, currentContext }: ClientConfig): boolean =>
  clusters.size + users.size + contexts.size === 0 && currentContext === undefined;

async function connectionOf(
  config: ClientConfig,
  overrides: ConfigOverrides,
  sources: ConfigSources,
): Promise<Connection> {
  const contextName = overrides.context ?? config.currentContext;
  const context = contextName === undefined ? undefined : entryNamed(config, 'contexts', contextName);
  const inContext = (field: string): string | undefined =>
    context === undefined ? undefined : textField(context, field);
  const clusterName = overrides.cluster ?? inContext('cluster');
  const userName = overrides.user ?? inContext('user');
  if (clusterName === undefined && overrides.server === undefined) {
    throw new Error(
      contextName === undefined ? nothingChosen(config, sources) : `context "${contextName}" names no cluster`,
    );
  }
  const cluster = clusterName === undefined ? NOTHING : entryNamed(config, 'clusters', clusterName);
  const user = userName === undefined ? NOTHING : entryNamed(config, 'users', userName);
  return {
    ...(await resolveConnection({
      cluster: overrideCluster(cluster, overrides),
      user: overrideUser(user, overrides),
      namespace: overrides.namespace ?? inContext('namespace'),
    })),
    requestTimeoutMs: overrides.requestTimeoutMs,
  };
}

/** What overrides alone make an entry of. */
const NOTHING: ConfigEntry = { fields: {}, path: 'command line', directory: '.' };

function nothingChosen(config: ClientConfig, { files }: ConfigSources): string {
  if (isEmpty(config)) return `no server is configured: there is nothing in ${files.join(', ')}, and none is named`;
  if (config.contexts.size === 0) return `no server is configured: there are no contexts in ${files.join(', ')}`;
  return `no context is chosen: there are ${[...config.contexts.keys()].join(', ')}`;
}
