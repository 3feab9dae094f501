import { ApiError } from '../api/errors.ts';
import { SERVER_USER } from '../api/user.ts';
import type { PolicyObject } from '../authorization/bootstrap/policy.ts';
import { bootstrapPolicy } from '../authorization/bootstrap/policy.ts';
import { reconcile } from '../authorization/bootstrap/reconcile.ts';
import {
  asManaged,
  isAsManaged,
  type LocalService,
  localService,
  managementOf,
} from '../extension/aggregation/local-services.ts';
import type { APIService } from '../kinds/apiregistration/api-service.ts';
import { builtInPriorities } from '../kinds/built-in.ts';
import { systemPriorityClasses } from '../kinds/scheduling/system-priority-classes.ts';
import type { Catalogue } from '../registry/catalogue.ts';
import type { Objects } from '../registry/objects.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

const OPTIONS = { user: SERVER_USER };

export interface BootstrapParts {
  readonly objects: Objects;
  readonly registry: Registry;
  readonly catalogue: Catalogue;
  readonly vocabulary: Vocabulary;
}

/**
 * Brings a fresh or older store up to what the server needs: its namespaces, then the policy that lives in them, and what it
 * serves by itself.
 */
export async function bootstrap(parts: BootstrapParts): Promise<void> {
  const { vocabulary } = parts;
  const { namespaces } = vocabulary;
  const needed = [namespaces.system, namespaces.public, namespaces.nodeLease, 'default'];
  await Promise.all(needed.map((name) => persist(() => ensureNamespace(parts, name))));
  const policy = bootstrapPolicy(vocabulary);
  await Promise.all([
    ...systemPriorityClasses.map((wanted) => persist(() => ensurePriorityClass(parts, wanted))),
    ...policy.map((object) => persist(() => ensurePolicy(parts, object))),
    ...builtInServices(parts).map(([name, wanted]) => persist(() => ensureService(parts, name, wanted))),
  ]);
}

const MOST_TRIES = 5;

/** For what is made sure of at start. Another server may be bringing up the same store: whoever was slower looks again. */
export async function persist(ensure: () => Promise<void>, tries = MOST_TRIES): Promise<void> {
  try {
    await ensure();
  } catch (error) {
    const lostRace = error instanceof ApiError && (error.code === 409 || error.code === 404);
    if (!lostRace || tries <= 1) throw error;
    await persist(ensure, tries - 1);
  }
}

function typeOf({ catalogue }: BootstrapParts, group: string, plural: string): ResourceType {
  const type = catalogue.preferred(group, plural);
  if (!type) throw new Error(`the server cannot work without ${plural}`);
  return type;
}

async function ensureNamespace(parts: BootstrapParts, name: string): Promise<void> {
  const type = typeOf(parts, '', 'namespaces');
  if (parts.objects.has(type, '', name)) return;
  await parts.registry.create(type, '', { metadata: { name } }, OPTIONS);
}

const PLURALS: Readonly<Record<string, string>> = {
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
};

async function ensurePolicy(parts: BootstrapParts, wanted: PolicyObject): Promise<void> {
  const { objects, registry, vocabulary } = parts;
  const type = typeOf(parts, vocabulary.groups.rbac, PLURALS[wanted.kind] ?? '');
  const { namespace = '', name = '' } = wanted.metadata;
  const change = reconcile(objects.get<PolicyObject>(type, namespace, name), wanted, vocabulary);
  if (!change) return;
  if (change.action === 'recreate') await registry.delete(type, namespace, name, OPTIONS);
  if (change.action === 'update') {
    await registry.update({ type, namespace, name, subresource: '' }, () => change.object, OPTIONS);
  } else await registry.create(type, namespace, change.object, OPTIONS);
}

async function ensurePriorityClass(
  parts: BootstrapParts,
  { name, value, description }: (typeof systemPriorityClasses)[number],
): Promise<void> {
  const type = typeOf(parts, parts.vocabulary.groups.scheduling, 'priorityclasses');
  if (parts.objects.has(type, '', name)) return;
  await parts.registry.create(type, '', { metadata: { name }, value, description }, OPTIONS);
}

/** By name: the APIServices that are brought up to date now, and what they should be; undefined: gone. */
function builtInServices(parts: BootstrapParts): [name: string, wanted: LocalService | undefined][] {
  const { objects, catalogue, vocabulary } = parts;
  const { apiregistration } = vocabulary.groups;
  const priorities = builtInPriorities(vocabulary);
  const wanted = catalogue.groups().flatMap(({ name, versions }) =>
    versions.flatMap((version) => {
      const known = name === apiregistration ? undefined : priorities(name, version);
      return known ? [localService(name, version, known, 'onstart')] : [];
    }),
  );
  const names = new Set(wanted.map(({ name }) => name));
  const former = objects
    .list<APIService>(typeOf(parts, apiregistration, 'apiservices'))
    .filter((one) => managementOf(one, vocabulary) === 'onstart' && !names.has(one.metadata.name ?? ''));
  return [
    ...wanted.map((one): [string, LocalService] => [one.name, one]),
    ...former.map(({ metadata }): [string, undefined] => [metadata.name ?? '', undefined]),
  ];
}

/** What someone else made, without the label by which servers know their own, is left alone. */
async function ensureService(parts: BootstrapParts, name: string, wanted: LocalService | undefined): Promise<void> {
  const { objects, registry, vocabulary } = parts;
  const type = typeOf(parts, vocabulary.groups.apiregistration, 'apiservices');
  const current = objects.get<APIService>(type, '', name);
  if (!current) {
    if (wanted) await registry.create(type, '', asManaged(undefined, wanted, vocabulary), OPTIONS);
  } else if (managementOf(current, vocabulary) === undefined) return;
  else if (!wanted) await registry.delete(type, '', name, OPTIONS);
  else if (!isAsManaged(current, wanted, vocabulary)) {
    const change = (now: unknown) => asManaged(now as APIService | undefined, wanted, vocabulary);
    await registry.update({ type, namespace: '', name, subresource: '' }, change, OPTIONS);
  }
}
