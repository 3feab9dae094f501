import type { Steps } from '../runtime/pacing.ts';
import { setOwn } from '../schema/json-object.ts';
import { sameJson } from '../schema/same-json.ts';
import type { AppliedDocument, JsonObject, PlainDocument } from './applied-document.ts';
import { fieldElements } from './elements.ts';
import type { FieldSet } from './field-set.ts';
import type { FieldsV1 } from './fields-v1.ts';
import type { Writer } from './owners.ts';

/** What was found out about a document when it was applied. */
export interface Findings {
  readonly document: JsonObject;
  /** The record that says what it fills in, if there was one. */
  readonly told?: FieldsV1 | undefined;
  /** What it was merged with, and what became of that. */
  readonly merge?: { readonly live: JsonObject; readonly merged: JsonObject } | undefined;
}

/**
 * Whoever applies a document is likely to have applied it before, with little in it changed. Parts that say what they
 * said then are made the very same, and what was found out about them is not found out anew. Says the same as the plain
 * document, sooner; a property test holds the two against each other.
 */
export class RememberedDocument implements AppliedDocument {
  readonly document: JsonObject;
  readonly #plain: PlainDocument;
  readonly #last: Findings | undefined;
  #told: Findings['told'];
  #merge: Findings['merge'];

  /** `last`: what was found when the applier last applied something to the object, if that is known. */
  constructor(plain: PlainDocument, last: Findings | undefined) {
    this.document = last ? withPartsOf(plain.document, last.document) : plain.document;
    this.#plain = last ? plain.saying(this.document) : plain;
    this.#last = last;
  }

  get applier(): Writer {
    return this.#plain.applier;
  }

  get fields(): FieldSet {
    return this.#plain.fields;
  }

  readFields(): Steps<FieldSet> {
    return this.#plain.readFields();
  }

  /** For the next document. */
  get findings(): Findings {
    return { document: this.document, told: this.#told, merge: this.#merge };
  }

  isToldBy(record: FieldsV1): boolean {
    if (this.#told === record) return true;
    const again = this.#last?.told === record ? this.#partsAgain(() => true) : [];
    const places = again.map((name) => fieldElements.of(name));
    const rest = again.length === 0 ? this.#plain : this.#plain.saying(without(this.document, again));
    if (!rest.isToldBy(without(record, places))) return false;
    this.#told = record;
    return true;
  }

  *mergeInto(live: JsonObject): Steps<JsonObject> {
    const last = this.#last?.merge;
    const again = last ? this.#partsAgain((name) => live[name] === last.live[name]) : [];
    const rest = again.length === 0 ? this.#plain : this.#plain.saying(without(this.document, again));
    let merged = yield* rest.mergeInto(live);
    const others = again.filter((name) => merged[name] !== last?.merged[name]);
    if (others.length > 0) {
      const copy: { [name: string]: unknown } = { ...merged };
      for (const name of others) setOwn(copy, name, last?.merged[name]);
      merged = copy;
    }
    this.#merge = { live, merged };
    return merged;
  }

  #partsAgain(isAgain: (name: string) => boolean): string[] {
    const { document } = this;
    const last = this.#last?.document;
    if (!last) return [];
    return Object.keys(document).filter(
      (name) => isPart(document[name]) && document[name] === last[name] && isAgain(name),
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

const MOST_APPLIERS = 4;

interface Applied {
  readonly findings: Findings;
  readonly bytes: number;
}

/** What was found out about the documents that were applied to one object lately, by who applied them. */
export class AppliedMemo {
  readonly #findings = new Map<string, Applied>();

  of(applier: Writer): Findings | undefined {
    return this.#findings.get(wordsOf(applier))?.findings;
  }

  /** `bytes`: how long the document was when it was sent. */
  note({ applier, findings }: RememberedDocument, bytes: number): void {
    const words = wordsOf(applier);
    const [oldest] = this.#findings.keys();
    if (!this.#findings.has(words) && this.#findings.size >= MOST_APPLIERS) this.#findings.delete(oldest ?? '');
    this.#findings.set(words, { findings, bytes });
  }

  /** How long the documents were when they were sent, and how many there are. */
  get size(): { readonly bytes: number; readonly count: number } {
    let bytes = 0;
    for (const one of this.#findings.values()) bytes += one.bytes;
    return { bytes, count: this.#findings.size };
  }
}

/** Neither versions nor subresources have spaces in them. */
const wordsOf = ({ manager, apiVersion, subresource }: Writer): string => `${apiVersion} ${subresource} ${manager}`;
