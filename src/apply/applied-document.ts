import { setOwn } from '../schema/json-object.ts';
import { sameJson } from '../schema/same-json.ts';
import { documentFields } from './difference.ts';
import { fieldElements } from './elements.ts';
import type { FieldSet } from './field-set.ts';
import type { FieldsV1 } from './fields-v1.ts';
import type { Writer } from './owners.ts';
import type { Sharing } from './sharing.ts';

type JsonObject = { readonly [name: string]: unknown };

/** What was found out about a document when it was applied. */
export interface Findings {
  readonly document: JsonObject;
  /** The record that says what it fills in, if there was one. */
  readonly told?: FieldsV1;
  /** What it was merged with, and what became of that. */
  readonly merge?: { readonly live: JsonObject; readonly merged: JsonObject };
}

/**
 * A document that is applied, in the applier's version of the kind.
 *
 * Whoever applies a document is likely to have applied it before, with little in it changed. Parts that say what they
 * said then are made the very same, and what was found out about them is not found out anew.
 */
export class AppliedDocument {
  readonly applier: Writer;
  /** How long it was when it was sent. */
  readonly bytes: number;
  private readonly sharing: Sharing;
  private readonly ignored: FieldSet;
  private readonly sent: JsonObject;
  private last: Findings | undefined;
  private found: Findings;
  private set: FieldSet | undefined;

  /** `ignored` is what nobody can own. */
  constructor(applier: Writer, document: JsonObject, sharing: Sharing, ignored: FieldSet, bytes: number) {
    this.bytes = bytes;
    this.applier = applier;
    this.sent = document;
    this.sharing = sharing;
    this.ignored = ignored;
    this.found = { document };
  }

  get document(): JsonObject {
    return this.found.document;
  }

  get findings(): Findings {
    return this.found;
  }

  /** Begins with what was found when the applier last applied something to the object, if that is known. */
  recall(last: Findings | undefined): void {
    this.last = last;
    this.found = { document: last ? withPartsOf(this.sent, last.document) : this.sent };
  }

  /** The places that it fills in, but for those that nobody can own. Throws DuplicateElement. */
  get fields(): FieldSet {
    this.set ??= documentFields(this.sharing, this.document).without(this.ignored);
    return this.set;
  }

  /**
   * Whether a record says just what the document fills in, which is quicker to see than to tell what that is. When it
   * does, no element is in the document twice. When this is false, `fields` tells for certain.
   */
  isToldBy(fields: FieldsV1): boolean {
    if (this.found.told === fields) return true;
    const again = this.last?.told === fields ? this.partsAgain(() => true) : [];
    const others = without(
      fields,
      again.map((name) => fieldElements.of(name)),
    );
    if (!this.sharing.isToldBy(others, without(this.document, again), this.ignored)) return false;
    this.found = { ...this.found, told: fields };
    return true;
  }

  /** What it makes of nothing. Throws DuplicateElement. */
  byItself(): JsonObject {
    void this.fields;
    return this.document;
  }

  /** The live object with what the document says. */
  mergeInto(live: JsonObject): unknown {
    const last = this.last?.merge;
    const again = last ? this.partsAgain((name) => live[name] === last.live[name]) : [];
    let merged = this.sharing.merge(live, without(this.document, again)) as JsonObject;
    for (const name of again) {
      const before = last?.merged[name];
      if (merged[name] !== before) merged = { ...merged, [name]: before };
    }
    this.found = { ...this.found, merge: { live, merged } };
    return merged;
  }

  private partsAgain(isAgain: (name: string) => boolean): string[] {
    const { last, document } = this;
    if (!last) return [];
    return Object.keys(document).filter(
      (name) => isPart(document[name]) && document[name] === last.document[name] && isAgain(name),
    );
  }
}

const isPart = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The document with parts of another in the place of those that say the same. */
function withPartsOf(document: JsonObject, other: JsonObject): JsonObject {
  const result: { [name: string]: unknown } = {};
  for (const name in document) {
    const part = document[name];
    setOwn(result, name, isPart(part) && sameJson(part, other[name]) ? other[name] : part);
  }
  return result;
}

function without(fields: JsonObject, names: readonly string[]): FieldsV1 {
  if (names.length === 0) return fields;
  const left: FieldsV1 = {};
  const gone = new Set(names);
  for (const name in fields) if (!gone.has(name)) setOwn(left, name, fields[name]);
  return left;
}
