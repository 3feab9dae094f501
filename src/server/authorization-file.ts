import { allowMasters, alwaysAllow, alwaysDeny } from '../authorization/always.ts';
import type { Authorizer } from '../authorization/attributes.ts';
import {
  type AuthorizerConfiguration,
  readAuthorizationConfiguration,
  type WebhookConfiguration,
} from '../authorization/configuration/authorization-configuration.ts';
import type { AuthorizationMode, ConfiguredModes } from '../authorization/modes.ts';
import { union } from '../authorization/union.ts';
import { WebhookAuthorizer } from '../authorization/webhook.ts';
import { inClusterConfig } from '../client/config/in-cluster.ts';
import type { Logger } from '../observe/logging/logger.ts';
import type { Recorder } from '../observe/metrics/recorder.ts';
import { entryNamed, resolveConnection } from '../outbound/config.ts';
import { demandPrivate } from '../outbound/outbound.ts';
import { ReviewService, readPlace, type ServicePlace } from '../outbound/review-service.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { followConfiguration } from './followed-configuration.ts';

/** The modes, put together. Which ones they are may change. */
export interface Deciders {
  readonly authorizer: Authorizer;
  has(mode: AuthorizationMode): boolean;
  /** Lets go of connections to others. */
  close(): void;
}

export interface AuthorizationFileParts {
  readonly file: string;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly logger: Logger;
  readonly recorder: Recorder;
  /** The modes that the server itself has; webhooks are of the file. */
  readonly modes: ConfiguredModes;
}

/** The authorizers of one version of the file, and the services behind them. */
interface Configured {
  readonly types: ReadonlySet<AuthorizationMode>;
  readonly authorizer: Authorizer;
  readonly services: readonly ReviewService[];
}

const NOBODY: Configured = { types: new Set(), authorizer: alwaysDeny, services: [] };

/** Who decides as a file says, and says again when it changes. Rejects with what to tell the operator. */
export async function decidersFromFile(parts: AuthorizationFileParts): Promise<Deciders> {
  const { file, vocabulary } = parts;
  let current = NOBODY;
  const adopt = (next: Configured): void => {
    for (const service of current.services) service.close();
    current = next;
  };
  const followed = await followConfiguration({
    ...parts,
    subject: 'authorization',
    file,
    read: async (text) =>
      configure(await readAuthorizationConfiguration(text, vocabulary.configGroups.apiserverConfig), parts),
    adopt,
  });
  return {
    authorizer: {
      authorize: (attributes) => current.authorizer.authorize(attributes),
      rulesFor: (user, namespace) => current.authorizer.rulesFor?.(user, namespace) ?? UNKNOWN_RULES,
      parts: () => [current.authorizer],
    },
    has: (mode) => current.types.has(mode),
    close() {
      followed.close();
      adopt(NOBODY);
    },
  };
}

const UNKNOWN_RULES = { resourceRules: [], nonResourceRules: [], incomplete: true, problem: '' };

async function configure(
  entries: readonly AuthorizerConfiguration[],
  parts: AuthorizationFileParts,
): Promise<Configured> {
  const services: ReviewService[] = [];
  const authorizers: Authorizer[] = [];
  for (const [at, entry] of entries.entries()) {
    if (entry.type !== 'Webhook') {
      authorizers.push(authorizerOf(entry.type, parts, `authorizers[${at}]`));
      continue;
    }
    const place = await placeOf(entry.webhook, parts, `authorizers[${at}].webhook.connectionInfo`);
    const service = ReviewService.at(`the authorization webhook ${entry.name}`, place, parts.runtime);
    services.push(service);
    authorizers.push(webhookOf(entry.webhook, service, parts));
  }
  return {
    types: new Set(entries.map(({ type }) => type)),
    authorizer: union([allowMasters, ...authorizers]),
    services,
  };
}

function authorizerOf(
  type: Exclude<AuthorizationMode, 'Webhook'>,
  { modes }: AuthorizationFileParts,
  at: string,
): Authorizer {
  if (type === 'AlwaysAllow') return alwaysAllow;
  if (type === 'AlwaysDeny') return alwaysDeny;
  const authorizer = modes[type];
  if (!authorizer) throw new Error(`${at}.type: ABAC needs --authorization-policy-file`);
  return authorizer;
}

function webhookOf(
  { name, version, failurePolicy, conditions, authorizedMs, unauthorizedMs }: WebhookConfiguration,
  service: ReviewService,
  { vocabulary, runtime, logger }: AuthorizationFileParts,
): WebhookAuthorizer {
  return new WebhookAuthorizer({
    name,
    service,
    group: vocabulary.groups.authorization,
    version,
    allowedMs: authorizedMs,
    otherMs: unauthorizedMs,
    conditions,
    onFailure: failurePolicy === 'Deny' ? 'deny' : 'abstain',
    runtime,
    onError: (error) => logger.warn({ err: error, webhook: name }, 'the authorization webhook could not be asked'),
  });
}

async function placeOf(
  { clientConfigFile, timeoutMs, version }: WebhookConfiguration,
  parts: AuthorizationFileParts,
  at: string,
): Promise<ServicePlace> {
  try {
    const place = clientConfigFile === undefined ? await ownCluster(parts, version) : await readPlace(clientConfigFile);
    return { ...place, timeoutMs };
  } catch (error) {
    throw new Error(`${at}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

/** The server of the cluster that this process runs in a pod of: asked where it answers such reviews. */
async function ownCluster({ vocabulary }: AuthorizationFileParts, version: string): Promise<ServicePlace> {
  const config = await inClusterConfig(vocabulary, process.env);
  if (!config?.currentContext) throw new Error('this process does not run in a pod');
  const connection = await resolveConnection({
    cluster: entryNamed(config, 'clusters', config.currentContext),
    user: entryNamed(config, 'users', config.currentContext),
    namespace: undefined,
  });
  const path = `/apis/${vocabulary.groups.authorization}/${version}/subjectaccessreviews`;
  return { connection, url: new URL(path, demandPrivate(connection.server, 'the server of the cluster')) };
}
