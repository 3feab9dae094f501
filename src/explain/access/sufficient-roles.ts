import { combinedResource, type Wanted } from '../../authorization/attributes.ts';
import type { RbacIndex } from '../../authorization/rbac/rbac-index.ts';
import type { RoleSlot } from '../../authorization/rbac/scope.ts';
import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import type { Steps } from '../../runtime/pacing.ts';

const MOST_ROLES = 8;
/** What a `*` weighs beside words that are listed. */
const STAR = 100;
/** The part of a rule's weight that each name has which it is limited to. */
const ONE_NAME = 0.01;

/** The stored roles that would allow what is wanted to whoever they are bound to, the least powerful first. */
export function* sufficientRoles(rbac: RbacIndex, wanted: Wanted): Steps<readonly RoleSlot[]> {
  const resource = combinedResource(wanted);
  const found: Ranked[] = [];
  for (const slot of rbac.roles) {
    yield undefined;
    if (!isBindable(slot, wanted) || !slot.role?.allows(wanted, resource)) continue;
    const power = powerOf(slot);
    const at = found.findLastIndex((other) => isBefore(other, { slot, power })) + 1;
    if (at < MOST_ROLES) found.splice(at, 0, { slot, power });
    found.length = Math.min(found.length, MOST_ROLES);
  }
  return found.map(({ slot }) => slot);
}

const isBindable = ({ namespace }: RoleSlot, wanted: Wanted): boolean =>
  namespace === '' || (wanted.resourceRequest && namespace === wanted.namespace);

interface Ranked {
  readonly slot: RoleSlot;
  readonly power: number;
}

/** Roles of the plane's own parts are meant for nobody else, and come last. */
const isOwn = ({ slot }: Ranked): boolean => slot.name.startsWith('system:');

function isBefore(one: Ranked, other: Ranked): boolean {
  if (isOwn(one) !== isOwn(other)) return isOwn(other);
  return one.power < other.power || (one.power === other.power && one.slot.name <= other.slot.name);
}

/** How much a role allows, roughly: each combination of a verb and a resource or path counts. */
const powerOf = ({ role }: RoleSlot): number =>
  (role?.rules ?? []).reduce((sum, { source }) => sum + weightOf(source), 0);

function weightOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): number {
  const names = resourceNames?.length ? Math.min(1, ONE_NAME * resourceNames.length) : 1;
  const onResources = breadth(apiGroups) * breadth(resources) * names;
  return breadth(verbs) * (onResources + breadth(nonResourceURLs));
}

const breadth = (words: readonly string[] | null | undefined): number =>
  (words ?? []).reduce((sum, word) => sum + (word.includes('*') ? STAR : 1), 0);
