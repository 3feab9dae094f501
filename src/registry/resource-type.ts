import type { Release } from '../api/release.ts';
import type { UserInfo } from '../api/user.ts';
import type { FeatureName } from '../features/feature-table.ts';
import type { Features } from '../features/features.ts';
import type { ObjectMeta } from '../meta/object-meta.ts';
import type { Steps } from '../runtime/pacing.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Draft } from '../schema/draft.ts';
import type { Path } from '../schema/path.ts';
import type { Problems } from '../schema/problems.ts';
import type { Struct, TypeMeta } from '../schema/schema.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { GatedField } from './gated-fields.ts';
import type { Reservation, ServiceSupply } from './reservation.ts';

/** Any stored object, as shared code sees it. */
export interface ApiObject extends TypeMeta {
  readonly metadata: ObjectMeta;
}

/** What a resource can be asked to do, as discovery lists it and authorization names it. */
export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

export const ALL_VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** The surroundings a hook may ask for. Hooks are pure but for what these hand them. */
export interface HookContext {
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly features: Features;
  /** Whether containers may be privileged. */
  readonly allowPrivileged?: boolean;
  /** Where services get addresses and ports; they get none when it is absent. */
  readonly services?: ServiceSupply;
}

export interface ReservationContext extends HookContext {
  /** Nothing will be stored, so nothing is to be kept either. */
  readonly dryRun: boolean;
}

/** Undefined when the name is fine, else what is wrong with it. `prefix`: a generateName, which may end in a dash. */
export type NameRule = (name: string, prefix: boolean) => string | undefined;

/** One column of a kind's table. `priority` 0 is always shown, 1 only in wide output. */
export interface Column<T> {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly priority?: number;
  readonly description: string;
  /** `now` in milliseconds, for ages. */
  cell(object: T, now: number): unknown;
}

/** Something a whole row says of itself, so that clients can mark it. */
export interface RowCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
}

/** The text that a field selector compares; '' when the field is unset. */
export type SelectableField<T> = { read(object: T): string }['read'];

/** How a resource behaves on writes where resources differ. */
export interface Strategy {
  /** PUT of a missing object creates it. */
  readonly createOnUpdate: boolean;
  /** PUT without a resourceVersion overwrites. */
  readonly unconditionalUpdate: boolean;
  /** The server counts changes of the desired state in metadata.generation. */
  readonly generation: boolean;
  /** DELETE answers the object instead of a Status. */
  readonly deleteReturnsObject: boolean;
  /** What becomes of dependents where a delete does not say it; `none`: nobody owns anything by an object of this kind. */
  readonly defaultPropagation: 'Background' | 'Orphan' | 'none';
}

export const USUAL_STRATEGY: Strategy = {
  createOnUpdate: false,
  unconditionalUpdate: true,
  generation: false,
  deleteReturnsObject: false,
  defaultPropagation: 'Background',
};

/** The rules of one endpoint (the resource itself, or a subresource that writes part of it). */
export interface WriteRules<T> {
  /** Dotted paths that a write through this endpoint cannot change: the stored value stays, on create they are cleared. */
  readonly resets?: readonly string[];
  /** After mutating admission and once fields that the endpoint cannot change are restored. May change `object`. */
  prepareUpdate?(object: Draft<T>, old: T, context: HookContext): void;
  /** Every problem of the change. The object itself has been through `ResourceType.validate` if `whole` is not false. */
  validateUpdate?(object: T, old: T, problems: Problems, context: HookContext): void;
  /** False: a change through this endpoint is not held against the rules for whole objects. */
  readonly whole?: boolean;
}

/** What is known of objects that travel under a name of their own, stored or not. */
export interface ObjectType<T extends ApiObject = ApiObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: Struct<T>;
  /** Its values are secret: no message may show them. */
  readonly sensitive?: boolean;
  /** The default table (name and creation time) when absent. Tables show the stored version, whichever is asked for. */
  readonly columns?: readonly Column<T>[];
  /** What is remarkable about the object's row; absent or empty for most. */
  rowConditions?(object: T): readonly RowCondition[];
  /** The order of rows in a table, where it is not that of names. */
  rowOrder?(a: T, b: T): number;
  /** Absent: this is the stored version. */
  readonly conversion?: Conversion<T>;
  /** What lists of it are called, where that is not the kind followed by `List`. */
  readonly listKind?: string;
  /** Items of lists repeat their kind and version, which the list itself has already. */
  readonly repeatsType?: boolean;
  /** Documents must say their kind and version. */
  readonly namesItself?: boolean;
  /** What its schema is called, where that can be known without asking for the schema. */
  readonly schemaName?: string;
  /** Stands for everything that the type is made of, its schema too, where that can be told without asking for it. */
  readonly digest?: string;
  /** Has no strategic merge patch: nothing says how its lists are merged. */
  readonly plainPatches?: boolean;
}

export const listKindOf = ({ kind, listKind = `${kind}List` }: Pick<ObjectType, 'kind' | 'listKind'>): string =>
  listKind;

/** An object of another kind through which part of a stored one is read and written, such as Scale. */
export interface Projection<T, P extends ApiObject = ApiObject> {
  readonly type: ObjectType<P>;
  read(object: T, context: HookContext): P;
  /** The stored object with what the projection says. Must not change `object`. */
  write(object: T, projected: P, context: HookContext): T;
  /** Problems of the projected object, told under its own kind. */
  validate?(projected: P, problems: Problems, context: HookContext): void;
}

/**
 * A path below a resource. With `rules` it reads and writes the parent object itself, such as `status`; with a
 * `projection` part of it under another kind; with neither, what it does is an action (`handlers/action.ts`).
 */
export interface Subresource<T = ApiObject> {
  readonly verbs: readonly Verb[];
  readonly rules?: WriteRules<T>;
  readonly projection?: Projection<T>;
  /** What discovery says, where it differs from the parent. */
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

/** How objects of a version that is not stored become stored ones, and back, without loss. */
export interface Conversion<T> {
  /** The stored version of the kind. */
  readonly hub: ResourceType;
  /**
   * May change its first argument, and need not leave a canonical object. `stored` is what the object is now, if it is
   * there, for what this version has no way to say. Must not change that.
   */
  toHub(object: Draft<T>, stored?: ApiObject): ApiObject;
  /** Must not change its argument. */
  fromHub(object: ApiObject): T;
}

/** A version that is on its way out. Releases are written `1.25`. */
export interface Deprecation {
  readonly deprecatedIn?: Release;
  readonly removedIn?: Release;
  /** What to use instead: group version and kind. */
  readonly replacement?: string;
  /** What users are told, where it is not to be made of the rest. */
  readonly warning?: string;
}

/**
 * A resource type is a value. Verbs are written once against this interface; registering a kind, a version or a custom
 * type is adding such a value to the catalogue.
 */
export interface ResourceType<T extends ApiObject = ApiObject> extends ObjectType<T> {
  /** The name in URLs. */
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  readonly strategy: Strategy;
  readonly nameRule: NameRule;
  readonly subresources: Readonly<Record<string, Subresource<T>>>;
  /**
   * What field selectors can match besides metadata.name and metadata.namespace. Where given, be it empty, only kinds that
   * have a namespace can be selected by it.
   */
  readonly selectableFields?: Readonly<Record<string, SelectableField<T>>>;
  /** Other spellings of selectable fields; in a version that is not stored, what they are called in the one that is. */
  readonly selectableAliases?: Readonly<Record<string, string>>;
  /**
   * Fills in what an object says without saying it, where declared defaults cannot: on every write, first as the object
   * was sent, so that its writer owns what is filled in, and again after admission. May change it.
   */
  complete?(object: Draft<T>, context: HookContext): void;
  /** Fields that are dropped from what is written while their feature is off. */
  readonly gatedFields?: readonly GatedField<T>[];
  /** Dotted paths that a create clears, where they are not those of `rules.resets`. */
  readonly createResets?: readonly string[];
  /** After decoding, defaulting and clearing a new object and giving it a name and uid, once admission has changed it. May change it. */
  prepareCreate?(object: Draft<T>, context: HookContext, requester: UserInfo): void;
  /** What to tell whoever deletes an object without a word about its dependents; nothing when absent. */
  readonly propagationWarning?: string;
  /** A verb that it does not have is refused by name. */
  readonly namesRefusedVerbs?: boolean;
  /** Why an object of this name can never be deleted, if it cannot. */
  refusesDelete?(name: string): string | undefined;
  /**
   * Takes what only one object may hold, and fills in what the object lacks of it: on writes through the resource's own
   * path, after preparation, before validation. `old` is absent on create. When it notes problems, which end the write,
   * or throws, it keeps nothing.
   */
  reserve?(
    object: Draft<T>,
    old: T | undefined,
    problems: Problems,
    context: ReservationContext,
  ): Reservation | undefined;
  /**
   * Every problem of the object by itself, on create and on update. Metadata and declared checks come before. In steps where
   * an object may be large. `old` is absent on create.
   */
  validate?(object: T, problems: Problems, context: HookContext, old?: T): Steps<void> | void;
  /**
   * Every problem that takes long to find: asked after all others, on create and on update, and others have their turn
   * between its steps. `old` is absent on create.
   */
  validateInSteps?(object: T, old: T | undefined, problems: Problems, context: HookContext): Steps<void>;
  /** Problems that only a new object can have. */
  validateCreate?(object: T, problems: Problems, context: HookContext): void;
  /** True while something other than metadata.finalizers keeps a terminating object. */
  isHeld?(object: T): boolean;
  /** Seconds an object may take to go; absent or 0: it goes at once. `requested` is what the client asked for. */
  gracePeriod?(object: T, requested: number | undefined): number;
  /** Called when an object that stays for a while is marked for deletion. May change it. */
  beginDeletion?(object: Draft<T>, context: HookContext): void;
  /** A finalizer that an object gets when it is first deleted, so that something can be done before it goes. */
  readonly deletionFinalizer?: string;
  /** Writes through the resource's own path. */
  readonly rules: WriteRules<T>;
  /** Whether a change between two objects is one of desired state; default: anything but metadata and status. */
  bumpsGeneration?(object: T, old: T): boolean;
  /** Every use is answered with a warning. */
  readonly deprecation?: Deprecation;
  /** The kind is there only while this feature is on. */
  readonly feature?: FeatureName;
  /** Served unless it is switched off, although its version is one of the earliest. */
  readonly servedByDefault?: boolean;
  /** The storage collection, the same for all versions of a kind; default: the plural, with the group where that is not unique. */
  readonly collection: string;
}

/** What cannot be watched is made for the asker and stored nowhere. */
export const isStored = ({ verbs }: Pick<ResourceType, 'verbs'>): boolean => verbs.includes('watch');

/** What a declaration must say; the rest has usual values. */
export type ResourceTypeSpec<T extends ApiObject> = Pick<
  ResourceType<T>,
  'group' | 'version' | 'kind' | 'plural' | 'namespaced' | 'schema' | 'nameRule'
> &
  Partial<Omit<ResourceType<T>, 'strategy'>> & { readonly strategy?: Partial<Strategy> };

/** Completes a declaration with the usual values. */
export function resourceType<T extends ApiObject>(spec: ResourceTypeSpec<T>): ResourceType<T> {
  return {
    verbs: ALL_VERBS,
    subresources: {},
    rules: {},
    collection: spec.plural,
    ...spec,
    strategy: { ...USUAL_STRATEGY, ...spec.strategy },
  };
}

/** A status subresource: reads and writes the object, but only its status counts. */
export function statusSubresource<T>(rules: WriteRules<T>): Subresource<T> {
  return { verbs: ['get', 'patch', 'update'], rules };
}

/** A validator of part of an object, for rules that several kinds share. */
export type PartValidator<Part> = (part: Part, path: Path, problems: Problems, context: HookContext) => void;
