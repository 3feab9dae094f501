import type { Runtime } from '../runtime.ts';
import { canonicalise } from '../schema/derive/canonical.ts';
import type { Stampable } from '../storage/backend.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';

/** Reads a stored object back. Stored bytes are canonical, so nothing is checked. */
export const parseObject = <T extends ApiObject>(bytes: Buffer): T => JSON.parse(bytes.toString('utf8')) as T;

/**
 * Encodes objects for storage. An object is encoded once, here; what is stored is what is sent. Its own revision is part
 * of the bytes but known only at commit, so the text is cut where `metadata.resourceVersion` belongs.
 */
export class Encoder {
  /** Stands in for the revision while encoding. Unguessable, so that no client's text can be mistaken for it. */
  private readonly mark: string;

  constructor(runtime: Runtime) {
    this.mark = runtime.bytes(16).toString('hex');
  }

  /** The object in its final, canonical form, with a place for its revision. Nothing but its owners may change after it. */
  finish(type: ResourceType, object: ApiObject): ApiObject {
    const marked = { ...object, metadata: { ...object.metadata, resourceVersion: this.mark } };
    return canonicalise(type.schema, marked).value;
  }

  /** Encodes a finished object. */
  encode(finished: ApiObject): Stampable {
    const text = JSON.stringify(finished);
    const at = text.indexOf(this.mark);
    return { head: text.slice(0, at), tail: text.slice(at + this.mark.length) };
  }
}

/** A finished object as others may see it: with the version it has, not the place for the one it will get. */
export function withVersion(finished: ApiObject, resourceVersion: string | undefined): ApiObject {
  const { resourceVersion: _place, ...metadata } = finished.metadata;
  return { ...finished, metadata: resourceVersion === undefined ? metadata : { ...metadata, resourceVersion } };
}
