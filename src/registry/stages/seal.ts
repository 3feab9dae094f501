import { seal, sealInSteps, sealNew } from '../../objects/seal.ts';
import { inSteps, type Steps } from '../../runtime/pacing.ts';
import { draftOf } from '../../schema/draft.ts';
import type { ApiObject, ResourceType } from '../resource-type.ts';
import { setRecord } from '../tracking.ts';
import type { Write } from '../write.ts';

/**
 * The draft becomes a value, in canonical form, with the record of owners as it was found out, whatever admission made of
 * it. What says the same as what is stored is then the very same, and nothing else asks whether it has changed.
 */
export function sealDraft(write: Write): Promise<void> | void {
  const { type, draft, live, record, rest } = write;
  setRecord(draft, record);
  if (!live) {
    write.object = sealNew(type.schema, draft);
    return;
  }
  draft.metadata.resourceVersion = live.object.metadata.resourceVersion ?? '';
  if (!write.hasRested) {
    write.object = seal(type.schema, draft, live.object);
    return;
  }
  return inSteps(sealing(write, live.object), rest);
}

function* sealing(write: Write, before: ApiObject): Steps<void> {
  write.object = yield* sealInSteps<ApiObject>(write.type.schema, write.draft, before);
}

/** Counts a change of desired state. */
export function countGeneration(write: Write): void {
  const { type, object, live } = write;
  if (!live || !type.strategy.generation || object === live.object) return;
  if (isDesiredOtherwise(type, object, live.object)) write.object = withNextGeneration(type, object, live.object);
}

const NOT_DESIRED = new Set(['kind', 'apiVersion', 'metadata', 'status']);

/** Everything but metadata and status is desired state, unless the kind says otherwise. */
function isDesiredOtherwise({ bumpsGeneration }: ResourceType, object: ApiObject, live: ApiObject): boolean {
  if (bumpsGeneration) return bumpsGeneration(object, live);
  const [now, before]: { readonly [name: string]: unknown }[] = [{ ...object }, { ...live }];
  for (const name in { ...object, ...live }) {
    if (!NOT_DESIRED.has(name) && now?.[name] !== before?.[name]) return true;
  }
  return false;
}

function withNextGeneration(type: ResourceType, object: ApiObject, live: ApiObject): ApiObject {
  const generation = (live.metadata.generation ?? 0) + 1;
  const counted = { ...object, metadata: { ...object.metadata, generation } };
  return object.metadata.generation === undefined ? seal(type.schema, draftOf(counted), object) : counted;
}
