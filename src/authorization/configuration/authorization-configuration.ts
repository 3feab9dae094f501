import { type ConfigurationFields, readConfigurationDocument } from '../../codec/configuration-fields.ts';
import { dns1123Subdomain } from '../../meta/formats.ts';
import { parseDuration } from '../../settings/units.ts';
import { type AuthorizationMode, authorizationModes } from '../modes.ts';
import { MatchConditions } from './match-conditions.ts';

/** How a webhook is asked, and what its silence means. */
export interface WebhookConfiguration {
  readonly name: string;
  readonly timeoutMs: number;
  readonly authorizedMs: number;
  readonly unauthorizedMs: number;
  readonly version: 'v1' | 'v1beta1';
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** Undefined: the server that this process runs in a pod of. */
  readonly clientConfigFile: string | undefined;
  /** It is asked about what fulfils all of them. */
  readonly conditions: MatchConditions;
}

/** One mode, in the place where it is asked. */
export type AuthorizerConfiguration =
  | { readonly type: Exclude<AuthorizationMode, 'Webhook'>; readonly name: string }
  | { readonly type: 'Webhook'; readonly name: string; readonly webhook: WebhookConfiguration };

const VERSIONS = ['v1', 'v1beta1', 'v1alpha1'];
const MOST_AUTHORIZERS = 64;
const LONGEST_TIMEOUT_MS = 30_000;
const AUTHORIZED_MS = 300_000;
const UNAUTHORIZED_MS = 30_000;

/** Reads an AuthorizationConfiguration of this group. Rejects with an Error of one line that names the field that is wrong. */
export async function readAuthorizationConfiguration(
  text: string,
  group: string,
): Promise<readonly AuthorizerConfiguration[]> {
  const document = await readConfigurationDocument(text, {
    kind: 'AuthorizationConfiguration',
    apiVersions: VERSIONS.map((version) => `${group}/${version}`),
  });
  document.only('kind', 'apiVersion', 'authorizers');
  const entries = document.objects('authorizers', MOST_AUTHORIZERS);
  if (entries.length === 0) throw document.problem('authorizers', 'at least one is required');
  const authorizers = entries.map(readAuthorizer);
  for (const [at, { type, name }] of authorizers.entries()) {
    const earlier = authorizers.slice(0, at);
    if (earlier.some((one) => one.name === name)) throw new Error(`authorizers[${at}].name: "${name}" is there twice`);
    if (type !== 'Webhook' && earlier.some((one) => one.type === type)) {
      throw new Error(`authorizers[${at}].type: "${type}" is there twice`);
    }
  }
  return authorizers;
}

function readAuthorizer(entry: ConfigurationFields): AuthorizerConfiguration {
  entry.only('type', 'name', 'webhook');
  const type = entry.choice('type', authorizationModes);
  const name = entry.requiredText('name');
  const wrong = dns1123Subdomain(name);
  if (wrong !== undefined) throw entry.problem('name', wrong);
  if (type === 'Webhook') return { type, name, webhook: readWebhook(entry.requiredObject('webhook'), name) };
  if (entry.has('webhook')) throw entry.problem('webhook', 'may only be set when type is Webhook');
  return { type, name };
}

function readWebhook(fields: ConfigurationFields, name: string): WebhookConfiguration {
  fields.only(
    'authorizedTTL',
    'unauthorizedTTL',
    'timeout',
    'subjectAccessReviewVersion',
    'matchConditionSubjectAccessReviewVersion',
    'failurePolicy',
    'connectionInfo',
    'matchConditions',
  );
  const timeoutMs = readDuration(fields, 'timeout');
  if (timeoutMs === undefined) throw fields.problem('timeout', 'required');
  if (timeoutMs > LONGEST_TIMEOUT_MS) throw fields.problem('timeout', `must be at most ${LONGEST_TIMEOUT_MS / 1000}s`);
  return {
    name,
    timeoutMs,
    authorizedMs: readDuration(fields, 'authorizedTTL') ?? AUTHORIZED_MS,
    unauthorizedMs: readDuration(fields, 'unauthorizedTTL') ?? UNAUTHORIZED_MS,
    version: fields.choice('subjectAccessReviewVersion', ['v1', 'v1beta1']),
    failurePolicy: fields.choice('failurePolicy', ['NoOpinion', 'Deny']),
    clientConfigFile: readConnection(fields.requiredObject('connectionInfo')),
    conditions: readConditions(fields),
  };
}

function readDuration(fields: ConfigurationFields, name: string): number | undefined {
  const text = fields.text(name) ?? '';
  if (text === '') return undefined;
  const milliseconds = text.length > 50 ? undefined : parseDuration(text);
  if (milliseconds === undefined) throw fields.problem(name, 'a duration such as 30s or 5m is wanted');
  if (milliseconds <= 0) throw fields.problem(name, 'must be greater than zero');
  return milliseconds;
}

function readConnection(connection: ConfigurationFields): string | undefined {
  connection.only('type', 'kubeConfigFile');
  const type = connection.choice('type', ['KubeConfigFile', 'InClusterConfig']);
  if (type === 'KubeConfigFile') return connection.requiredText('kubeConfigFile');
  if (connection.has('kubeConfigFile')) {
    throw connection.problem('kubeConfigFile', 'can only be set when type is KubeConfigFile');
  }
  return undefined;
}

function readConditions(fields: ConfigurationFields): MatchConditions {
  const conditions = MatchConditions.read(fields);
  const version = fields.text('matchConditionSubjectAccessReviewVersion') ?? '';
  if (version !== 'v1' && (version !== '' || !conditions.isEmpty)) {
    throw fields.problem('matchConditionSubjectAccessReviewVersion', 'must be v1');
  }
  return conditions;
}
