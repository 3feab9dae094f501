import { atOnce, type Steps } from '../runtime/pacing.ts';
import { documentFieldsInSteps } from './difference.ts';
import type { FieldSet } from './field-set.ts';
import type { FieldsV1 } from './fields-v1.ts';
import type { Writer } from './owners.ts';
import type { Sharing } from './sharing.ts';

/** Below so many levels a document is merged in one go: what is there cannot be large by itself. */
const LEVELS = 3;

export type JsonObject = { readonly [name: string]: unknown };

/** A document that is applied, in the applier's version of the kind. */
export interface AppliedDocument {
  readonly applier: Writer;
  readonly document: JsonObject;
  /** The places that it fills in, but for those that nobody can own. Throws DuplicateElement. */
  readonly fields: FieldSet;
  /** Finds out about `fields`, if that is still to be done. */
  readFields(): Steps<FieldSet>;
  /**
   * Whether a record says just what the document fills in, which is quicker to see than to tell what that is. When it
   * does, no element is in the document twice. When this is false, `fields` tells for certain.
   */
  isToldBy(record: FieldsV1): boolean;
  /** The live object with what the document says. */
  mergeInto(live: JsonObject): Steps<JsonObject>;
}

/** What a document is by itself. `ignored` is what nobody can own. */
export class PlainDocument implements AppliedDocument {
  readonly applier: Writer;
  readonly document: JsonObject;
  readonly #sharing: Sharing;
  readonly #ignored: FieldSet;
  #fields: FieldSet | undefined;

  constructor(applier: Writer, document: JsonObject, sharing: Sharing, ignored: FieldSet) {
    this.applier = applier;
    this.document = document;
    this.#sharing = sharing;
    this.#ignored = ignored;
  }

  get fields(): FieldSet {
    return this.#fields ?? atOnce(this.readFields());
  }

  *readFields(): Steps<FieldSet> {
    this.#fields ??= (yield* documentFieldsInSteps(this.#sharing, this.document)).without(this.#ignored);
    return this.#fields;
  }

  isToldBy(record: FieldsV1): boolean {
    return this.#sharing.isToldBy(record, this.document, this.#ignored);
  }

  *mergeInto(live: JsonObject): Steps<JsonObject> {
    return (yield* this.#sharing.mergeInSteps(live, this.document, LEVELS)) as JsonObject;
  }

  /** Another document by the same applier. */
  saying(document: JsonObject): PlainDocument {
    return new PlainDocument(this.applier, document, this.#sharing, this.#ignored);
  }
}
