import type { UserInfo } from '../../api/user.ts';
import type { Subject } from '../../kinds/rbac/subject.ts';
import type { Attributes, Decision } from '../attributes.ts';
import type { CompiledRole } from './compiled-role.ts';
import type { Holder } from './holder.ts';

/** Where bindings find their role. Made by whichever is stored first, the role or a binding to it. */
export interface RoleSlot {
  readonly kind: 'ClusterRole' | 'Role';
  /** '' of a cluster role. */
  readonly namespace: string;
  readonly name: string;
  /** Undefined while no such role is stored. */
  role: CompiledRole | undefined;
  /** How many bindings lead here. */
  bindings: number;
}

/** A stored binding. */
export interface Binding {
  readonly namespace: string;
  readonly name: string;
  readonly slot: RoleSlot;
  readonly shares: readonly Share[];
}

/** What one subject of one binding holds. */
export interface Share {
  readonly holder: Holder;
  /** Namespace and name of the binding. */
  readonly of: Pick<Binding, 'namespace' | 'name'>;
  readonly slot: RoleSlot;
  readonly subject: Subject;
  /** The answer whenever a rule of the role allows a request; made when it is given for the first time. */
  allow: Decision | undefined;
}

type Shares = Map<string, Set<Share>>;

/** What the bindings of one namespace, or the cluster-wide ones, grant to whom. */
export class Scope {
  readonly #bindings = new Map<string, Binding>();
  readonly #users: Shares = new Map();
  readonly #groups: Shares = new Map();

  get isEmpty(): boolean {
    return this.#bindings.size === 0;
  }

  /** Those of this moment. */
  get bindings(): readonly Binding[] {
    return [...this.#bindings.values()];
  }

  /** There is none of that name. */
  add(binding: Binding): void {
    this.#bindings.set(binding.name, binding);
    for (const share of binding.shares) {
      const shares = this.#sharesOf(share);
      const held = shares.get(share.holder.name);
      if (held) held.add(share);
      else shares.set(share.holder.name, new Set([share]));
    }
  }

  /** Gives what was removed, if there was such a binding. */
  remove(name: string): Binding | undefined {
    const binding = this.#bindings.get(name);
    if (!binding) return undefined;
    this.#bindings.delete(name);
    for (const share of binding.shares) {
      const shares = this.#sharesOf(share);
      const held = shares.get(share.holder.name);
      held?.delete(share);
      if (held?.size === 0) shares.delete(share.holder.name);
    }
    return binding;
  }

  #sharesOf({ holder }: Share): Shares {
    return holder.isGroup ? this.#groups : this.#users;
  }

  heldBy({ name, groups }: UserInfo): Share[] {
    const held = [...(this.#users.get(name) ?? [])];
    for (const group of groups) {
      for (const share of this.#groups.get(group) ?? []) held.push(share);
    }
    return held;
  }

  /** The first of `heldBy` that allows the request; `resource` is its combined resource. */
  firstAllowing(attributes: Attributes, resource: string): Share | undefined {
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

function firstAmong(held: ReadonlySet<Share> | undefined, attributes: Attributes, resource: string): Share | undefined {
  if (!held) return undefined;
  for (const share of held) {
    if (share.slot.role?.allows(attributes, resource)) return share;
  }
  return undefined;
}
