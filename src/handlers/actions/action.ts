import type { Catalogue } from '../../registry/catalogue.ts';
import type { Objects } from '../../registry/objects.ts';
import type { Registry } from '../../registry/registry.ts';
import type { ApiObject, HookContext, ObjectType } from '../../registry/resource-type.ts';
import type { WriteOptions } from '../../registry/write.ts';
import type { Rest } from '../../runtime/pacing.ts';

/** Someone posts an object to have something done that is not the write of that object. */
export interface ActionCall<P extends ApiObject = ApiObject> {
  readonly objects: Objects;
  readonly registry: Registry;
  readonly catalogue: Catalogue;
  readonly context: HookContext;
  readonly namespace: string;
  /** The object the action is about; '' for resources that are not stored. */
  readonly name: string;
  /** What was posted, read and defaulted. */
  readonly object: P;
  readonly options: WriteOptions;
  /** Tells the client something beside the answer. */
  warn(text: string): void;
}

export interface ActionAnswer {
  readonly status: number;
  /** What was posted, completed, or a Status; in canonical form. */
  readonly body: object;
  /** The body is large. */
  readonly rest?: Rest;
}

/** A binding, an eviction, a review: posted to a subresource, or to a resource that is not stored. */
export interface Action<P extends ApiObject = ApiObject> {
  readonly group: string;
  readonly plural: string;
  /** '' for a resource that is not stored. */
  readonly subresource: string;
  /** What may be posted; the first is assumed when the document does not say. */
  readonly accepts: readonly ObjectType<P>[];
  /** False: what is posted is only a question, which admission is not asked about. */
  readonly admission?: boolean;
  run(call: ActionCall<P>): Promise<ActionAnswer>;
}

export const actionKey = (group: string, plural: string, subresource: string): string =>
  `${group}/${plural}/${subresource}`;

export const actionTable = (actions: readonly Action[]): ReadonlyMap<string, Action> =>
  new Map(actions.map((action) => [actionKey(action.group, action.plural, action.subresource), action]));
