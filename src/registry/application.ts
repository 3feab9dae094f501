import { badRequest } from '../api/errors.ts';
import { type AppliedDocument, type JsonObject, PlainDocument } from '../apply/applied-document.ts';
import { applyDocument, type View, type ViewOf } from '../apply/applying.ts';
import { sharingOf } from '../apply/derive-sharing.ts';
import { DuplicateElement } from '../apply/difference.ts';
import { MalformedFields } from '../apply/fields-v1.ts';
import type { Writer } from '../apply/owners.ts';
import { readRecord } from '../apply/record.ts';
import { type AppliedMemo, RememberedDocument } from '../apply/remembered-document.ts';
import type { Steps } from '../runtime/pacing.ts';
import { canonicalise } from '../schema/derive/canonical.ts';
import type { Conversions } from './conversions.ts';
import { ignoredBy } from './ignored-fields.ts';
import type { ApiObject, ObjectType, ResourceType } from './resource-type.ts';
import { hubOf } from './versions.ts';

/** Throws where a document is none of the type. What it has in common with `last` has been looked at before. */
export type CheckDocument = (document: JsonObject, last: JsonObject | undefined) => void;

export interface ApplicationOptions {
  /** The kind that is stored, in the version of the request. */
  readonly stored: ResourceType;
  /** What the document is. */
  readonly type: ObjectType;
  readonly applier: Writer;
  readonly document: JsonObject;
  /** How long the document was when it was sent. */
  readonly bytes: number;
  /** Whether what the document fills in is taken from others. */
  readonly force: boolean;
  readonly check: CheckDocument;
  servedAs(hub: ResourceType, apiVersion: string): ResourceType | undefined;
  /** Of kinds that have to be asked for other versions of an object. */
  readonly conversions?: Conversions | undefined;
}

/** A document that is to be applied to whatever is there, once for each attempt. */
export class Application {
  readonly force: boolean;
  readonly #options: ApplicationOptions;
  readonly #plain: PlainDocument;
  #applied: RememberedDocument;

  constructor(options: ApplicationOptions) {
    const { stored, type, applier, document, force } = options;
    this.force = force;
    this.#options = options;
    this.#plain = new PlainDocument(applier, document, sharingOf(type.schema), ignoredBy(stored, applier.subresource));
    this.#applied = new RememberedDocument(this.#plain, undefined);
  }

  get document(): AppliedDocument {
    return this.#applied;
  }

  /** What the document makes of an object, or of nothing. `memo`: what is known of documents that were applied to it. */
  *applyTo(current: ApiObject | undefined, memo: AppliedMemo | undefined): Steps<unknown> {
    const last = memo?.of(this.#plain.applier);
    const applied = new RememberedDocument(this.#plain, last);
    this.#applied = applied;
    this.#options.check(applied.document, last?.document);
    yield;
    try {
      if (current) return yield* merged(current, applied, (apiVersion) => this.#viewOf(apiVersion));
      yield* applied.readFields();
      return applied.document;
    } catch (error) {
      if (error instanceof DuplicateElement) throw badRequest(`the applied document has ${error.message}`);
      throw error;
    }
  }

  /** Lets the next document that is applied to the object have what was found out about this one. */
  noteIn(memo: AppliedMemo): void {
    memo.note(this.#applied, this.#options.bytes);
  }

  #viewOf(apiVersion: string): View | undefined {
    const { applier, stored, type, servedAs, conversions } = this.#options;
    if (apiVersion === applier.apiVersion) return { sharing: sharingOf(type.schema), show: itself, restore: itself };
    const other = servedAs(hubOf(stored), apiVersion);
    return other && viewThrough(stored, other, conversions);
  }
}

const itself = (object: unknown): unknown => object;

function* merged(current: ApiObject, applied: AppliedDocument, viewOf: ViewOf): Steps<unknown> {
  try {
    return yield* applyDocument({ ...current }, applied, readRecord(current.metadata.managedFields), viewOf);
  } catch (error) {
    if (error instanceof MalformedFields) return yield* applyDocument({ ...current }, applied, [], viewOf);
    throw error;
  }
}

/** Objects of one version of a kind as another version shows them. */
const viewThrough = (from: ResourceType, to: ResourceType, conversions: Conversions | undefined): View => ({
  sharing: sharingOf(to.schema),
  show: (object) => converted(from, to, object, conversions),
  restore: (object) => converted(to, from, object, conversions),
});

/** Without defaults: what was taken out of an object is to stay out. */
const converted = (
  from: ResourceType,
  to: ResourceType,
  object: unknown,
  conversions: Conversions | undefined,
): ApiObject => {
  const { value } = canonicalise(from.schema, object ?? {});
  if (conversions) return conversions.in(value, from, to);
  const stored = from.conversion ? canonicalise(from.conversion.hub.schema, from.conversion.toHub(value)).value : value;
  return to.conversion ? canonicalise(to.schema, to.conversion.fromHub(stored)).value : stored;
};
