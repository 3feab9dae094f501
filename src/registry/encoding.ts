import type { Runtime } from '../runtime.ts';
import { settle } from '../schema/derive/canonical.ts';
import { sameJson } from '../schema/same-json.ts';
import type { Stampable } from '../storage/backend.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';
import type { Encoded, StoredObject } from './stored-object.ts';

/** Reads a stored object back. Stored bytes are canonical, so nothing is checked. */
export const parseObject = <T extends ApiObject>(bytes: Buffer): T => JSON.parse(bytes.toString('utf8')) as T;

/**
 * Encodes objects for storage. An object is encoded once, here; what is stored is what is sent. Its own revision is part
 * of the bytes but known only at commit, so the text is cut where `metadata.resourceVersion` belongs.
 */
export class Encoder {
  /** Stands in for the revision while encoding. Unguessable, so that no client's text can be mistaken for it. */
  private readonly mark: string;
  /** The same for the record of owners. */
  private readonly recordMark: string;

  constructor(runtime: Runtime) {
    this.mark = runtime.bytes(16).toString('hex');
    this.recordMark = runtime.bytes(16).toString('hex');
  }

  /**
   * The object in its final, canonical form, with a place for its revision. Nothing but its owners may change after it.
   * Takes over the object that is given. Parts that are what they were in `before` are then the very same.
   */
  finish(type: ResourceType, object: ApiObject, before?: StoredObject): ApiObject {
    if (before) keepParts(object, before);
    const { metadata } = object;
    const isNew = !metadata.resourceVersion;
    if (isNew) metadata.resourceVersion = this.mark;
    const finished: ApiObject = settle(type.schema, object, before?.object);
    if (isNew) finished.metadata.resourceVersion = '';
    return finished;
  }

  /** Encodes a finished object, whatever stands in the place for its revision. */
  encode(finished: ApiObject): Stampable {
    const { metadata } = finished;
    const { resourceVersion = '' } = metadata;
    metadata.resourceVersion = this.mark;
    const text = JSON.stringify(finished);
    metadata.resourceVersion = resourceVersion;
    return cut(text, this.mark);
  }

  /** As `encode`, without writing anew what is the very same as before. */
  encodeAgain(finished: ApiObject, before: StoredObject): { readonly text: Stampable; readonly encoded: Encoded } {
    const { managedFields } = finished.metadata;
    const metadata = this.metadataText(finished);
    const record = before.textOfRecord(managedFields) ?? JSON.stringify(managedFields ?? []);
    const parts = new Map<string, string>();
    let [head, tail, separator] = ['', '', '{'];
    for (const [name, value] of Object.entries(finished)) {
      if (value === undefined) continue;
      const key = `${separator}${JSON.stringify(name)}:`;
      separator = ',';
      if (name === 'metadata') {
        const { head: first, tail: rest } = cut(metadata, this.mark);
        head = `${tail}${key}${first}`;
        tail = filled(rest, `"${this.recordMark}"`, record);
        continue;
      }
      const text = before.textOf(name, value) ?? JSON.stringify(value);
      parts.set(name, text);
      tail += `${key}${text}`;
    }
    return { text: { head, tail: `${tail}}` }, encoded: { metadata, record, parts } };
  }

  /** With marks in the places of the revision and of the record. */
  private metadataText({ metadata }: ApiObject): string {
    const marked: Record<string, unknown> = { ...metadata, resourceVersion: this.mark };
    if (metadata.managedFields !== undefined) marked.managedFields = this.recordMark;
    return JSON.stringify(marked);
  }
}

function cut(text: string, mark: string): Stampable {
  const at = text.indexOf(mark);
  return { head: text.slice(0, at), tail: text.slice(at + mark.length) };
}

/** A text with something in the place of a mark, if it has that. */
function filled(text: string, mark: string, something: string): string {
  if (!text.includes(mark)) return text;
  const { head, tail } = cut(text, mark);
  return `${head}${something}${tail}`;
}

/** Puts parts of what was stored in the place of those that say the same. */
function keepParts(object: ApiObject, { parts }: StoredObject): void {
  const fields: { [name: string]: unknown } = { ...object };
  for (const [name, stored] of parts) {
    if (fields[name] !== stored && sameJson(fields[name], stored)) Object.assign(object, { [name]: stored });
  }
}
