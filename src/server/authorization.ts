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
import type { ObjectSource } from '../registry/informer.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Settings } from '../settings/settings.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

export interface AuthorizationParts {
  readonly settings: Settings;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly logger: Logger;
}

/** Everything that decides who may do what. */
export interface Authorization {
  readonly authorizer: Authorizer;
  /** The same for control loops of the server itself, whom roles let in, whatever the modes. */
  readonly ofLoops: Authorizer;
  /** The same for admission, which cannot tell where a request came in: accounts of loops have what their roles say. */
  readonly inAdmission: Authorizer;
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
  const relations = modes.includes('Node') ? new NodeRelations(vocabulary.annotations.configMirror) : undefined;
  const abac = await abacFor(parts, modes);
  const webhook = await webhookFor(parts, modes);
  const configured: ConfiguredModes = {
    RBAC: rbac,
    ...(relations && { Node: new NodeAuthorizer(relations, vocabulary) }),
    ...(abac && { ABAC: abac }),
    ...(webhook && { Webhook: webhook.authorizer }),
  };
  const front = await frontFor(parts);
  const authorizer = front?.authorizer ?? authorizerFor(modes, configured);
  const hasRoles = !front && modes.includes('RBAC');
  return {
    authorizer,
    ofLoops: hasRoles ? authorizer : rbac,
    inAdmission: hasRoles ? authorizer : alsoByRoles(authorizer, rbac, vocabulary.namespaces.system),
    rbac,
    follow(source) {
      feedRbacIndex(rbac, source, vocabulary.groups.rbac);
      if (relations) feedNodeRelations(relations, source, vocabulary.groups.storage);
    },
    close() {
      webhook?.close();
      front?.close();
    },
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

async function abacFor({ settings, vocabulary }: AuthorizationParts, modes: readonly AuthorizationMode[]) {
  const file = fileOf(modes, 'ABAC', 'authorization-policy-file', settings.authorizationPolicyFile);
  if (file === undefined) return undefined;
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
