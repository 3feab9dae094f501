import type { PolicyObject } from '../authorization/bootstrap/policy.ts';
import { bootstrapPolicy } from '../authorization/bootstrap/policy.ts';
import { reconcile } from '../authorization/bootstrap/reconcile.ts';
import { ApiError } from '../errors.ts';
import { systemPriorityClasses } from '../kinds/scheduling/system-priority-classes.ts';
import type { Catalogue } from '../registry/catalogue.ts';
import { parseObject } from '../registry/encoding.ts';
import { objectKey } from '../registry/keys.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { SERVER_USER } from '../user.ts';
import type { Vocabulary } from '../vocabulary.ts';

const OPTIONS = { user: SERVER_USER };

/** Brings a fresh or older store up to what the server needs: its namespaces, then the policy that lives in them. */
export async function bootstrap(registry: Registry, catalogue: Catalogue, vocabulary: Vocabulary): Promise<void> {
  const { namespaces } = vocabulary;
  const needed = [namespaces.system, namespaces.public, namespaces.nodeLease, 'default'];
  const type = typeOf(catalogue, '', 'namespaces');
  await Promise.all(needed.map((name) => persist(() => ensureNamespace(registry, type, name))));
  const policy = bootstrapPolicy(vocabulary);
  await Promise.all([
    ...systemPriorityClasses.map((wanted) =>
      persist(() => ensurePriorityClass(registry, catalogue, vocabulary, wanted)),
    ),
    ...policy.map((object) => persist(() => ensurePolicy(registry, catalogue, vocabulary, object))),
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

function typeOf(catalogue: Catalogue, group: string, plural: string): ResourceType {
  const type = catalogue.preferred(group, plural);
  if (!type) throw new Error(`the server cannot work without ${plural}`);
  return type;
}

async function ensureNamespace(registry: Registry, type: ResourceType, name: string): Promise<void> {
  if (registry.log.get(objectKey(type, '', name))) return;
  await registry.create(type, '', { metadata: { name } }, OPTIONS);
}

const PLURALS: Readonly<Record<string, string>> = {
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
};

async function ensurePolicy(
  registry: Registry,
  catalogue: Catalogue,
  vocabulary: Vocabulary,
  wanted: PolicyObject,
): Promise<void> {
  const type = typeOf(catalogue, vocabulary.groups.rbac, PLURALS[wanted.kind] ?? '');
  const { namespace = '', name = '' } = wanted.metadata;
  const stored = registry.log.get(objectKey(type, namespace, name));
  const change = reconcile(stored && parseObject<PolicyObject>(stored.bytes), wanted, vocabulary);
  if (!change) return;
  if (change.action === 'recreate') await registry.delete(type, namespace, name, OPTIONS);
  if (change.action === 'update') {
    await registry.update({ type, namespace, name, subresource: '' }, () => change.object, OPTIONS);
  } else await registry.create(type, namespace, change.object, OPTIONS);
}

async function ensurePriorityClass(
  registry: Registry,
  catalogue: Catalogue,
  { groups }: Vocabulary,
  { name, value, description }: (typeof systemPriorityClasses)[number],
): Promise<void> {
  const type = typeOf(catalogue, groups.scheduling, 'priorityclasses');
  if (registry.log.get(objectKey(type, '', name))) return;
  await registry.create(type, '', { metadata: { name }, value, description }, OPTIONS);
}
