import type { UserInfo } from '../../api/user.ts';
import type { Attributes, Decision } from '../attributes.ts';
import type { CompiledRole } from './compiled-role.ts';
import type { Holder } from './holder.ts';

/** Where bindings find their role. Made by whichever is stored first, the role or a binding to it. */
export interface RoleSlot {
  readonly kind: 'ClusterRole' | 'Role';
  readonly name: string;
  /** Undefined while no such role is stored. */
  role: CompiledRole | undefined;
  /** How many bindings lead here. */
  bindings: number;
}

/** What one subject of one binding holds. */
export interface Grant {
  readonly slot: RoleSlot;
  /** The answer whenever a rule of the role allows a request. */
  readonly allow: Decision;
}

type Grants = Map<string, Set<Grant>>;

/** What the bindings of one namespace, or the cluster-wide ones, grant to whom. */
export class Scope {
  readonly #users: Grants = new Map();
  readonly #groups: Grants = new Map();

  get isEmpty(): boolean {
    return this.#users.size === 0 && this.#groups.size === 0;
  }

  add({ isGroup, name }: Holder, grant: Grant): void {
    const grants = isGroup ? this.#groups : this.#users;
    const held = grants.get(name);
    if (held) held.add(grant);
    else grants.set(name, new Set([grant]));
  }

  remove({ isGroup, name }: Holder, grant: Grant): void {
    const grants = isGroup ? this.#groups : this.#users;
    const held = grants.get(name);
    held?.delete(grant);
    if (held?.size === 0) grants.delete(name);
  }

  heldBy({ name, groups }: UserInfo): Grant[] {
    const held = [...(this.#users.get(name) ?? [])];
    for (const group of groups) {
      for (const grant of this.#groups.get(group) ?? []) held.push(grant);
    }
    return held;
  }

  /** The first of `heldBy` that allows the request; `resource` is its combined resource. */
  firstAllowing(attributes: Attributes, resource: string): Grant | undefined {
    const { name, groups } = attributes.user;
    const own = firstAmong(this.#users.get(name), attributes, resource);
    if (own) return own;
    for (const group of groups) {
      const shared = firstAmong(this.#groups.get(group), attributes, resource);
      if (shared) return shared;
    }
    return undefined;
  }
}

function firstAmong(held: ReadonlySet<Grant> | undefined, attributes: Attributes, resource: string): Grant | undefined {
  if (!held) return undefined;
  for (const grant of held) {
    if (grant.slot.role?.allows(attributes, resource)) return grant;
  }
  return undefined;
}
