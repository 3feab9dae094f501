import { ApiError } from '../../errors.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import { settleNamespace } from '../../registry/create.ts';
import { readObject } from '../../registry/incoming.ts';
import type { ApiObject, HookContext, ObjectType, Projection, ResourceType } from '../../registry/resource-type.ts';
import { fromHub, toHub } from '../../registry/versions.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { applyDefaults } from '../../schema/derive/defaults.ts';
import type { TypeMeta } from '../../schema/schema.ts';

/** What a kind is called. */
export interface KindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** How the objects of a request look to one who knows them in a certain version, and back. */
export interface Showing {
  readonly kind: KindName;
  /** Absent on delete. */
  readonly object: TypeMeta | undefined;
  readonly oldObject: TypeMeta | undefined;
  /**
   * Takes an object that was made of the one shown. Throws an Error when it is none of the kind, and an ApiError when it
   * would be in another namespace.
   */
  accept(document: unknown): void;
}

/** The kind of what a request is about, in the version `as`. */
export const kindIn = ({ posted, subresource }: AdmissionRequest, as: ResourceType): KindName =>
  posted ?? as.subresources[subresource]?.projection?.type ?? as;

/** Shows a request in the version `as`: the object itself, what is seen of it through a subresource, or what was posted. */
export function show(request: AdmissionRequest, as: ResourceType, context: HookContext): Showing {
  if (request.posted) return showPosted(request, request.posted);
  const projection = as.subresources[request.subresource]?.projection;
  return projection ? showProjection(request, as, projection, context) : showWhole(request, as);
}

function showWhole(request: AdmissionRequest, as: ResourceType): Showing {
  const { type, object, oldObject, namespace } = request;
  return {
    kind: as,
    object: object && fromHub(as, object),
    oldObject: oldObject && fromHub(as, oldObject),
    accept(document) {
      const accepted = readShown(as, document);
      settleNamespace(type, accepted, namespace);
      request.object = toHub(as, accepted, object);
    },
  };
}

/** What a client would be told about its own document is no concern of it here. */
function readShown(type: ObjectType, document: unknown): ApiObject {
  try {
    return readObject(type, document);
  } catch (error) {
    throw error instanceof ApiError ? new Error(error.message, { cause: error }) : error;
  }
}

function showProjection(
  request: AdmissionRequest,
  as: ResourceType,
  projection: Projection<ApiObject>,
  context: HookContext,
): Showing {
  const { object, oldObject } = request;
  const shown = (whole: ApiObject): ApiObject =>
    canonicalise(projection.type.schema, projection.read(fromHub(as, whole), context)).value;
  return {
    kind: projection.type,
    object: object && shown(object),
    oldObject: oldObject && shown(oldObject),
    accept(document) {
      if (!object) return;
      const projected = readShown(projection.type, document);
      request.object = toHub(as, projection.write(fromHub(as, object), projected, context), object);
    },
  };
}

function showPosted(request: AdmissionRequest, posted: NonNullable<AdmissionRequest['posted']>): Showing {
  const object: TypeMeta | undefined = request.connection ?? request.object;
  return {
    kind: posted,
    object,
    oldObject: undefined,
    accept(document) {
      if (!object) return;
      const { value } = canonicalise(posted.schema, document);
      applyDefaults(posted.schema, value);
      // In place, because it belongs to whoever does with it what is to be done.
      for (const name of Object.keys(object)) Reflect.deleteProperty(object, name);
      Object.assign(object, value);
    },
  };
}
