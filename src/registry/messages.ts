import { PartialObjectMetadata } from '../kinds/meta/partial-object-metadata.ts';
import { encodeMessage } from '../schema/derive/protobuf.ts';
import { parseObject } from './encoding.ts';
import { apiVersionOf } from './incoming.ts';
import type { ApiObject, ObjectType } from './resource-type.ts';
import { fromHub, remembered, type StoredBytes } from './versions.ts';

/** Stored objects in binary: what their envelopes say, and what is in them. */
export interface Messages {
  readonly apiVersion: string;
  readonly kind: string;
  /** Messages of one version under equal names are equal. */
  readonly name: string;
  /**
   * The message, without an envelope, as lists hold it. Made when it is first wanted and kept beside the stored bytes, so
   * that reading the same version again costs no parsing.
   */
  of(stored: StoredBytes): Buffer;
}

/** Objects as this version of their kind shows them. */
export function objectMessages(type: ObjectType): Messages {
  const apiVersion = apiVersionOf(type);
  const encode = (stored: ApiObject): Buffer => encodeMessage(type.schema, fromHub(type, stored));
  return messages(`protobuf ${apiVersion}`, apiVersion, type.kind, encode);
}

/** Nothing but the metadata, of kinds that need not have a binary form themselves. `apiVersion`: of the meta group. */
export function metadataMessages(apiVersion: string): Messages {
  const encode = (stored: ApiObject): Buffer => encodeMessage(PartialObjectMetadata, stored);
  return messages('protobuf metadata', apiVersion, 'PartialObjectMetadata', encode);
}

function messages(name: string, apiVersion: string, kind: string, encode: (stored: ApiObject) => Buffer): Messages {
  const make = (bytes: Buffer): Buffer => encode(parseObject(bytes));
  return { name, apiVersion, kind, of: (stored) => remembered(stored, name, make) };
}
