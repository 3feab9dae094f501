import { PartialObjectMetadata } from '../meta/partial-object-metadata.ts';
import { encodeMessage } from '../schema/derive/protobuf.ts';
import { parseObject } from './encoding.ts';
import { apiVersionOf } from './incoming.ts';
import type { Renderings, StoredBytes } from './renderings.ts';
import type { ApiObject, ObjectType } from './resource-type.ts';
import { fromHub } from './versions.ts';

/** Stored objects in binary: what their envelopes say, and what is in them. */
export interface Messages {
  readonly apiVersion: string;
  readonly kind: string;
  /**
   * The message, without an envelope, as lists hold it. Made when it is first wanted and kept beside the stored bytes, so
   * that reading the same version again costs no parsing.
   */
  of(stored: StoredBytes): Buffer;
}

/** Objects as this version of their kind shows them. */
export function objectMessages(renderings: Renderings, type: ObjectType): Messages {
  const make = (bytes: Buffer): Buffer => encodeMessage(type.schema, fromHub(type, parseObject(bytes)));
  return {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    of: (stored) => renderings.of(stored, type, 'protobuf', make),
  };
}

/** Nothing but the metadata, of kinds that need not have a binary form themselves. `apiVersion`: of the meta group. */
export const metadataMessages = (renderings: Renderings, apiVersion: string): Messages => ({
  apiVersion,
  kind: 'PartialObjectMetadata',
  of: (stored) => renderings.of(stored, PartialObjectMetadata, 'protobuf', metadataMessage),
});

const metadataMessage = (bytes: Buffer): Buffer => encodeMessage(PartialObjectMetadata, parseObject<ApiObject>(bytes));
