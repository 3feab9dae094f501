import { readFile } from 'node:fs/promises';
import { serviceAccountGroups } from '../api/user.ts';
import { AbacAuthorizer } from '../authorization/abac/abac-authorizer.ts';
import { readPolicies } from '../authorization/abac/policy-file.ts';
import { allowHealthPaths, allowMasters } from '../authorization/always.ts';
import type { Authorizer } from '../authorization/attributes.ts';
import { type AuthorizationMode, authorizerFor, type ConfiguredModes, readModes } from '../authorization/modes.ts';
import { feedNodeRelations } from '../authorization/node/feed.ts';
import { NodeAuthorizer } from '../authorization/node/node-authorizer.ts';
import { NodeRelations } from '../authorization/node/node-relations.ts';
import { feedRbacIndex } from '../authorization/rbac/feed.ts';
import { RbacIndex } from '../authorization/rbac/rbac-index.ts';
import { union } from '../authorization/union.ts';
import type { Logger } from '../observe/logging/logger.ts';
import type { Recorder } from '../observe/metrics/recorder.ts';
import type { ObjectSource } from '../registry/informer.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Settings } from '../settings/settings.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Deciders } from './authorization-file.ts';

export interface AuthorizationParts {
  readonly settings: Settings;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly logger: Logger;
  readonly recorder: Recorder;
}

/** Everything that decides who may do what. */
export interface Authorization {
  readonly authorizer: Authorizer;
  /** The same for control loops of the server itself, whom roles let in, whatever the modes. */
  readonly ofLoops: Authorizer;
  /** The same for admission, which cannot tell where a request came in: accounts of loops have what their roles say. */
  readonly inAdmission: Authorizer;
  /** Whether everyone may do everything now, as is sometimes wanted for tests. */
  allowsEverything(): boolean;
  /** Who holds which roles; kept in every mode, because nobody may grant more than they hold in any. */
  readonly rbac: RbacIndex;
  /** Tells the modes what is stored, now and from now on. */
  follow(source: ObjectSource): void;
  /** Lets go of connections to others. */
  close(): void;
}

/** The modes that the settings ask for. Rejects with what to tell the operator when they cannot be had. */
export async function authorizationFor(parts: AuthorizationParts): Promise<Authorization> {
  const { settings, vocabulary } = parts;
  const modes = readModes(settings.authorizationMode);
  const rbac = new RbacIndex(vocabulary.groups.rbac);
  // A file may bring the mode in later.
  const hasNodes = modes.includes('Node') || settings.authorizationConfig !== undefined;
  const relations = hasNodes ? new NodeRelations(vocabulary.annotations.configMirror) : undefined;
  const own: ConfiguredModes = {
    RBAC: rbac,
    ...(relations && { Node: new NodeAuthorizer(relations, vocabulary) }),
  };
  const front = await frontFor(parts);
  const deciders = await decidersFor(parts, modes, own);
  const authorizer = front?.authorizer ?? deciders.authorizer;
  const hasRoles = (): boolean => !front && deciders.has('RBAC');
  const others = alsoByRoles(authorizer, rbac, vocabulary.namespaces.system);
  return {
    authorizer,
    ofLoops: { authorize: (asked) => (hasRoles() ? authorizer : rbac).authorize(asked) },
    inAdmission: { authorize: (asked) => (hasRoles() ? authorizer : others).authorize(asked) },
    rbac,
    allowsEverything: () => deciders.has('AlwaysAllow'),
    follow(source) {
      feedRbacIndex(rbac, source, vocabulary.groups.rbac);
      if (relations) feedNodeRelations(relations, source, vocabulary.groups.storage);
    },
    close() {
      deciders.close();
      front?.close();
    },
  };
}

async function decidersFor(
  parts: AuthorizationParts,
  modes: readonly AuthorizationMode[],
  own: ConfiguredModes,
): Promise<Deciders> {
  const { authorizationConfig: file, authorizationPolicyFile } = parts.settings;
  if (file !== undefined) {
    const abac = authorizationPolicyFile === undefined ? undefined : await readAbac(parts, authorizationPolicyFile);
    // Loaded when asked for: few servers have such a file.
    const { decidersFromFile } = await import('./authorization-file.ts');
    return decidersFromFile({ ...parts, file, modes: { ...own, ...(abac && { ABAC: abac }) } });
  }
  const abac = await abacFor(parts, modes);
  const webhook = await webhookFor(parts, modes);
  const configured = { ...own, ...(abac && { ABAC: abac }), ...(webhook && { Webhook: webhook.authorizer }) };
  return {
    authorizer: authorizerFor(modes, configured),
    has: (mode) => modes.includes(mode),
    close: () => webhook?.close(),
  };
}

/** Behind another server that one decides, but for whether this one is alive. Undefined: there is none in front. */
async function frontFor({ settings, runtime, vocabulary, logger }: AuthorizationParts) {
  const { authorizationKubeconfig: file } = settings;
  if (file === undefined) return undefined;
  // Loaded when asked for: few servers have one in front.
  const { WebhookAuthorizer } = await import('../authorization/webhook.ts');
  const { frontReviews } = await import('./front.ts');
  const { authorization: group } = vocabulary.groups;
  const service = await frontReviews('the server in front', file, { group, plural: 'subjectaccessreviews' }, runtime);
  const delegated = new WebhookAuthorizer({
    service,
    group,
    version: 'v1',
    allowedMs: FRONT_DECISIONS_MS,
    otherMs: FRONT_DECISIONS_MS,
    runtime,
    onError: (error) => logger.warn({ err: error }, 'the server in front could not be asked who may do what'),
  });
  return { authorizer: union([allowMasters, allowHealthPaths, delegated]), close: () => service.close() };
}

/** How long it is taken to be so what the server in front says of who may do what. */
const FRONT_DECISIONS_MS = 10_000;

/** Lets service accounts of the namespace do what their roles allow, and otherwise what all may. */
function alsoByRoles(authorizer: Authorizer, rbac: RbacIndex, namespace: string): Authorizer {
  const ofAccounts = union([rbac, authorizer]);
  const [, group = ''] = serviceAccountGroups(namespace);
  return {
    authorize: (asked) => (asked.user.groups.includes(group) ? ofAccounts : authorizer).authorize(asked),
  };
}

/** A mode and its file go together. Undefined when neither is given. */
function fileOf(
  modes: readonly AuthorizationMode[],
  mode: AuthorizationMode,
  flag: string,
  file: string | undefined,
): string | undefined {
  const isOn = modes.includes(mode);
  if (isOn && file === undefined) throw new Error(`authorization mode "${mode}" needs --${flag}`);
  if (!isOn && file !== undefined) throw new Error(`--${flag} is of no use without authorization mode "${mode}"`);
  return file;
}

async function abacFor(parts: AuthorizationParts, modes: readonly AuthorizationMode[]) {
  const file = fileOf(modes, 'ABAC', 'authorization-policy-file', parts.settings.authorizationPolicyFile);
  return file === undefined ? undefined : readAbac(parts, file);
}

async function readAbac({ vocabulary }: AuthorizationParts, file: string): Promise<AbacAuthorizer> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`cannot read ${file}: ${error.code ?? 'unknown error'}`, { cause: error });
  });
  return new AbacAuthorizer(readPolicies(text, file, vocabulary.configGroups.abac));
}

async function webhookFor(parts: AuthorizationParts, modes: readonly AuthorizationMode[]) {
  const { settings, runtime, vocabulary, logger } = parts;
  const flag = 'authorization-webhook-config-file';
  const file = fileOf(modes, 'Webhook', flag, settings.authorizationWebhookConfigFile);
  if (file === undefined) return undefined;
  // Loaded when asked for: few servers have one.
  const { WebhookAuthorizer } = await import('../authorization/webhook.ts');
  const { ReviewService } = await import('../outbound/review-service.ts');
  const service = await ReviewService.fromFile('the authorization webhook', file, runtime);
  const authorizer = new WebhookAuthorizer({
    service,
    group: vocabulary.groups.authorization,
    version: settings.authorizationWebhookVersion,
    allowedMs: settings.authorizationWebhookCacheAuthorizedTtl,
    otherMs: settings.authorizationWebhookCacheUnauthorizedTtl,
    runtime,
    onError: (error) => logger.warn({ err: error }, 'the authorization webhook could not be asked'),
  });
  return { authorizer, close: () => service.close() };
}
