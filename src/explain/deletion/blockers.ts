import type { ActionCall } from '../../handlers/actions/action.ts';
import type { DeletionBlocker, DeletionReview } from '../../kinds/explain/deletion-review.ts';
import type { ExplainedObject } from '../../kinds/explain/explained-object.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import type { Rest } from '../../runtime/pacing.ts';
import type { BoundedList } from '../answer-room.ts';
import type { AskedObject } from '../asked-object.ts';

/** What those who look for something in the way are handed. */
export interface Search {
  readonly call: ActionCall<DeletionReview>;
  readonly asked: AskedObject;
  /** The object as the type that was asked for shows it. */
  readonly object: ApiObject;
  readonly found: BoundedList<DeletionBlocker>;
  /** Resources that could not be looked at. */
  readonly notSearched: Set<string>;
  readonly rest: Rest;
  /** Whether whoever asks may list a resource, in a namespace or everywhere. */
  mayList(place: AskedObject): Promise<boolean>;
}

export const located = ({ type, namespace, name }: AskedObject): ExplainedObject => ({
  group: type.group,
  version: type.version,
  resource: type.plural,
  namespace,
  name,
});

/** A resource as it is usually told: `deployments.apps`. */
export const resourceText = ({ group, plural }: { readonly group: string; readonly plural: string }): string =>
  group === '' ? plural : `${plural}.${group}`;
