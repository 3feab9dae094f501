import { decodeProtobuf, decodeWatchFrame, encodeProtobuf } from '../../src/codec/protobuf.ts';
import { Scale } from '../../src/kinds/autoscaling/v1/scale.ts';
import { listOf } from '../../src/meta/list.ts';
import { DeleteOptions } from '../../src/meta/options.ts';
import { PartialObjectMetadata } from '../../src/meta/partial-object-metadata.ts';
import { Status } from '../../src/meta/status.ts';
import type { Catalogue } from '../../src/registry/catalogue.ts';
import { apiVersionOf } from '../../src/registry/incoming.ts';
import { canonicalise } from '../../src/schema/derive/canonical.ts';
import { decodeMessage } from '../../src/schema/derive/protobuf.ts';
import type { Node } from '../../src/schema/node.ts';
import type { Struct } from '../../src/schema/schema.ts';
import { vocabularies } from '../../src/vocabulary/vocabulary.ts';

export const JSON_TYPE = 'application/json';
export const { protobuf: PROTOBUF, protobufWatch: PROTOBUF_WATCH } = vocabularies.platform.mediaTypes;

type Json = { readonly [key: string]: unknown };

/** What says of itself what it is. */
export type Typed = Json & { readonly apiVersion: string; readonly kind: string };

/** Translates between what travels in binary and what JSON would say, as a client does that knows the kinds. */
export class Translator {
  readonly #schemas = new Map<string, Node>();

  constructor(catalogue: Catalogue, metaGroup: string) {
    const add = (apiVersion: string, kind: string, schema: Struct<unknown>): void => {
      this.#schemas.set(`${apiVersion} ${kind}`, schema);
      this.#schemas.set(`${apiVersion} ${kind}List`, listOf(schema));
    };
    for (const { name, versions } of catalogue.groups()) {
      for (const version of versions) {
        for (const type of catalogue.typesOf(name, version)) add(apiVersionOf(type), type.kind, type.schema);
      }
    }
    add('v1', 'Status', Status);
    add('v1', 'DeleteOptions', DeleteOptions);
    add('autoscaling/v1', 'Scale', Scale);
    for (const version of ['v1', 'v1beta1']) {
      add(`${metaGroup}/${version}`, 'PartialObjectMetadata', PartialObjectMetadata);
    }
  }

  encode(value: Typed): Buffer {
    const schema = this.#schemaOf(value);
    return encodeProtobuf(schema, value.apiVersion, value.kind, canonicalise(schema, value).value);
  }

  /** In canonical form. */
  decode(bytes: Buffer): Typed {
    const envelope = decodeProtobuf(bytes);
    return this.canonical({
      ...decodeMessage(this.#schemaOf(envelope), envelope.raw),
      kind: envelope.kind,
      apiVersion: envelope.apiVersion,
    });
  }

  /** Without what means nothing, so that what means the same is equal. */
  canonical(value: Typed): Typed {
    return canonicalise(this.#schemaOf(value), value).value as Typed;
  }

  /** The events of a watch that has ended. */
  decodeEvents(bytes: Buffer): { type: string; object: Typed }[] {
    const events = [];
    for (let rest = bytes; rest.length > 0; ) {
      const frame = decodeWatchFrame(rest);
      if (!frame) throw new Error('the last event is not whole');
      events.push({ type: frame.type, object: this.decode(frame.object) });
      rest = rest.subarray(frame.size);
    }
    return events;
  }

  #schemaOf({ apiVersion, kind }: { apiVersion: string; kind: string }): Node {
    const schema = this.#schemas.get(`${apiVersion} ${kind}`);
    if (!schema) throw new Error(`unknown kind ${kind} in ${apiVersion}`);
    return schema;
  }
}
