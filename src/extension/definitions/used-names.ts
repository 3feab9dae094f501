import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
} from '../../kinds/apiextensions/custom-resource-definition.ts';

/** Names that one definition has in use: of the resource in paths and on command lines, and of objects and lists. */
interface Taken {
  readonly group: string;
  readonly resources: readonly string[];
  readonly kinds: readonly string[];
}

function takenBy({ spec, status }: CustomResourceDefinition): Taken {
  const { plural, singular = '', shortNames, kind, listKind = '' } = status.acceptedNames;
  return {
    group: spec.group,
    resources: [plural, singular, ...(shortNames ?? [])].filter(Boolean),
    kinds: [kind, listKind].filter(Boolean),
  };
}

/** Who has a name: by group and name, the definitions that do. */
class Index {
  readonly #owners = new Map<string, Set<string>>();

  add(group: string, names: readonly string[], owner: string): void {
    for (const name of names) {
      const key = `${group}/${name}`;
      this.#owners.set(key, (this.#owners.get(key) ?? new Set()).add(owner));
    }
  }

  remove(group: string, names: readonly string[], owner: string): void {
    for (const name of names) {
      const key = `${group}/${name}`;
      const owners = this.#owners.get(key);
      owners?.delete(owner);
      if (owners?.size === 0) this.#owners.delete(key);
    }
  }

  /** Whether another than `owner` has it. */
  isTaken(group: string, name: string, owner: string): boolean {
    const owners = this.#owners.get(`${group}/${name}`);
    return owners !== undefined && (owners.size > 1 || !owners.has(owner));
  }
}

/** Whether a kind that is no custom one has a name in a group. */
export interface BuiltInNames {
  hasResource(group: string, name: string): boolean;
  hasKind(group: string, name: string): boolean;
}

/** The accepted names of all definitions, by group. Costs the same however many there are. */
export class UsedNames {
  readonly #builtIn: BuiltInNames;
  readonly #resources = new Index();
  readonly #kinds = new Index();
  readonly #taken = new Map<string, Taken>();

  constructor(builtIn: BuiltInNames) {
    this.#builtIn = builtIn;
  }

  /** Notes what a definition has in use now. True when it gave up a name. */
  note(definition: CustomResourceDefinition): boolean {
    const name = definition.metadata.name ?? '';
    const before = this.#taken.get(name);
    const taken = takenBy(definition);
    this.forget(name);
    this.#taken.set(name, taken);
    this.#resources.add(taken.group, taken.resources, name);
    this.#kinds.add(taken.group, taken.kinds, name);
    const kept = new Set([...taken.resources, ...taken.kinds]);
    return [...(before?.resources ?? []), ...(before?.kinds ?? [])].some((one) => !kept.has(one));
  }

  forget(name: string): void {
    const taken = this.#taken.get(name);
    if (!taken) return;
    this.#taken.delete(name);
    this.#resources.remove(taken.group, taken.resources, name);
    this.#kinds.remove(taken.group, taken.kinds, name);
  }

  isResourceTaken({ metadata, spec }: CustomResourceDefinition, name: string): boolean {
    const { group } = spec;
    return this.#resources.isTaken(group, name, metadata.name ?? '') || this.#builtIn.hasResource(group, name);
  }

  isKindTaken({ metadata, spec }: CustomResourceDefinition, name: string): boolean {
    const { group } = spec;
    return this.#kinds.isTaken(group, name, metadata.name ?? '') || this.#builtIn.hasKind(group, name);
  }
}

/** Why names of a definition are not accepted. */
export interface Conflict {
  readonly reason: string;
  readonly message: string;
}

/**
 * Which of its names a definition may have. One that it has stays its own. Of several conflicts the last one is told, in
 * the order in which clients know them.
 */
export function acceptNames(
  definition: CustomResourceDefinition,
  used: UsedNames,
): { readonly names: CustomResourceDefinitionNames; readonly conflict: Conflict | undefined } {
  const { names: wanted } = definition.spec;
  const accepted = definition.status.acceptedNames;
  const names: { -readonly [K in keyof CustomResourceDefinitionNames]: CustomResourceDefinitionNames[K] } = {
    ...accepted,
  };
  let conflict: Conflict | undefined;
  const refuse = (reason: string, taken: readonly string[]): void => {
    conflict = { reason, message: taken.map((name) => `"${name}" is already in use`).join(', ') };
  };
  const isTaken = (name: string): boolean => used.isResourceTaken(definition, name);
  const isFree = (name: string, own: string | undefined, taken: boolean): boolean => name === own || !taken;

  if (isFree(wanted.plural, accepted.plural, isTaken(wanted.plural))) names.plural = wanted.plural;
  else refuse('PluralConflict', [wanted.plural]);

  const { singular = '' } = wanted;
  if (isFree(singular, accepted.singular, isTaken(singular))) names.singular = singular;
  else refuse('SingularConflict', [singular]);

  const own = new Set(accepted.shortNames ?? []);
  const takenShort = (wanted.shortNames ?? []).filter((name) => !own.has(name) && isTaken(name));
  if (takenShort.length > 0) refuse('ShortNamesConflict', takenShort);
  else if (wanted.shortNames) names.shortNames = wanted.shortNames;
  else delete names.shortNames;

  if (isFree(wanted.kind, accepted.kind, used.isKindTaken(definition, wanted.kind))) names.kind = wanted.kind;
  else refuse('KindConflict', [wanted.kind]);

  const { listKind = '' } = wanted;
  if (isFree(listKind, accepted.listKind, used.isKindTaken(definition, listKind))) names.listKind = listKind;
  else refuse('ListKindConflict', [listKind]);

  if (wanted.categories) names.categories = wanted.categories;
  else delete names.categories;
  return { names, conflict };
}
