import { ApiError } from '../../api/errors.ts';
import type { AdmissionRequest, MutatingRequest } from '../../registry/admission.ts';
import { readObject } from '../../registry/incoming.ts';
import type { ApiObject, HookContext, ObjectType, ResourceType } from '../../registry/resource-type.ts';
import { demandNamespace } from '../../registry/stages/read.ts';
import { fromHub, toHub } from '../../registry/versions.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { applyDefaults } from '../../schema/derive/defaults.ts';
import { type Draft, draftOf } from '../../schema/draft.ts';
import type { Node } from '../../schema/node.ts';
import type { TypeMeta } from '../../schema/schema.ts';

/** What a kind is called. */
export interface KindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** How the objects of a request look to one who knows them in a certain version. */
export interface ShownRequest {
  readonly kind: KindName;
  /** Absent on delete. */
  readonly object: TypeMeta | undefined;
  readonly oldObject: TypeMeta | undefined;
}

const projectionIn = ({ subresource }: AdmissionRequest, as: ResourceType) => as.subresources[subresource]?.projection;

/** The kind of what a request is about, in the version `as`. */
export const kindIn = (request: AdmissionRequest, as: ResourceType): KindName =>
  request.posted ?? projectionIn(request, as)?.type ?? as;

/** The declaration of what is shown of a request in the version `as`. */
export const schemaIn = (request: AdmissionRequest, as: ResourceType): Node =>
  (request.posted ?? projectionIn(request, as)?.type ?? as).schema;

/** Shows a request in the version `as`: the object itself, what is seen of it through a subresource, or what was posted. */
export function show(request: AdmissionRequest, as: ResourceType, context: HookContext): ShownRequest {
  const { posted, object, oldObject } = request;
  const kind = kindIn(request, as);
  if (posted) return { kind, object: request.connection ?? object, oldObject: undefined };
  const projection = projectionIn(request, as);
  const shown = (whole: ApiObject): ApiObject => {
    const own = inVersion(request, as, whole);
    return projection ? canonicalise(projection.type.schema, projection.read(own, context)).value : own;
  };
  return { kind, object: object && shown(object), oldObject: oldObject && shown(oldObject) };
}

const inVersion = ({ type, conversions }: AdmissionRequest, as: ResourceType, whole: ApiObject): ApiObject =>
  conversions ? conversions.in(whole, type, as) : fromHub(as, whole);

/** What was changed in the version `as`, in that of the request. */
const restored = ({ type, object, conversions }: MutatingRequest, as: ResourceType, changed: Draft<ApiObject>) =>
  conversions ? draftOf(conversions.in(changed, as, type)) : toHub(as, changed, object);

/** Does what needs the object in other versions, which kinds that are converted by others have to be asked for. */
export const withConversions = <T>({ conversions }: AdmissionRequest, work: () => T | Promise<T>): Promise<T> | T =>
  conversions ? conversions.run(work) : work();

/**
 * Takes an object that was made of the one shown. Throws an Error when it is none of the kind, and an ApiError when it
 * would be in another namespace.
 */
export function takeBack(request: MutatingRequest, as: ResourceType, document: unknown, context: HookContext): void {
  const { type, posted, object, namespace } = request;
  const projection = projectionIn(request, as);
  if (posted) takePosted(request, posted, document);
  else if (projection) {
    if (!object) return;
    const projected = readShown(projection.type, document);
    const changed = projection.write(inVersion(request, as, object), projected, context);
    request.object = restored(request, as, draftOf(changed));
  } else {
    const accepted = readShown(as, document);
    demandNamespace(type, accepted, namespace);
    request.object = restored(request, as, accepted);
  }
}

/** What a client would be told about its own document is no concern of it here. */
function readShown(type: ObjectType, document: unknown): Draft<ApiObject> {
  try {
    return readObject(type, document);
  } catch (error) {
    throw error instanceof ApiError ? new Error(error.message, { cause: error }) : error;
  }
}

/** In place, because what was posted belongs to whoever does with it what is to be done. */
function takePosted(
  request: MutatingRequest,
  posted: NonNullable<AdmissionRequest['posted']>,
  document: unknown,
): void {
  const object: TypeMeta | undefined = request.connection ?? request.object;
  if (!object) return;
  const { value } = canonicalise(posted.schema, document);
  applyDefaults(posted.schema, value);
  for (const name of Object.keys(object)) Reflect.deleteProperty(object, name);
  Object.assign(object, value);
}
