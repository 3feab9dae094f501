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

  /**
   * The object in its final, canonical form, with an empty place for its revision. Nothing but its owners may change
   * after it. The object that was given is as it was before.
   */
  finish(type: ResourceType, object: ApiObject): ApiObject {
    const { metadata } = object;
    const own = metadata.resourceVersion;
    metadata.resourceVersion = this.mark;
    const finished: ApiObject = canonicalise(type.schema, object).value;
    if (own === undefined) delete metadata.resourceVersion;
    else metadata.resourceVersion = own;
    finished.metadata.resourceVersion = '';
    return finished;
  }

  /** Encodes a finished object, whatever stands in the place for its revision. */
  encode(finished: ApiObject): Stampable {
    finished.metadata.resourceVersion = this.mark;
    const text = JSON.stringify(finished);
    const at = text.indexOf(this.mark);
    return { head: text.slice(0, at), tail: text.slice(at + this.mark.length) };
  }
}
