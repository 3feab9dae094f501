import type { AppliedDocument, Findings } from '../apply/applied-document.ts';
import type { Writer } from '../apply/owners.ts';
import type { ApiObject } from './resource-type.ts';

/** The text of an object in pieces, of which most are the same from version to version. */
export interface Encoded {
  /** By field, metadata apart. */
  readonly parts: ReadonlyMap<string, string>;
  /** Without the revision and the record. */
  readonly metadata: string;
  /** The record of owners: often half of the whole. */
  readonly record: string;
}

/** Whether two texts say the same. */
export function sameText(a: Encoded, b: Encoded): boolean {
  if (a.metadata !== b.metadata || a.record !== b.record || a.parts.size !== b.parts.size) return false;
  for (const [name, text] of a.parts) if (b.parts.get(name) !== text) return false;
  return true;
}

interface Applied {
  readonly findings: Findings;
  readonly bytes: number;
}

/**
 * A stored object, for those who change it. It is a value that many may hold: nobody changes it in place.
 *
 * Most changes leave most parts of an object alone. A part of the new object that is the very same as before is known to
 * be canonical, and its text is known too.
 */
export class StoredObject {
  readonly object: ApiObject;
  /** Absent when it was read back. */
  readonly encoded: Encoded | undefined;
  private known: ReadonlyMap<string, unknown> | undefined;
  /** Of those who applied something to the object lately, by their words. */
  private readonly findings: Map<string, Applied>;

  constructor(object: ApiObject, encoded?: Encoded, before?: StoredObject) {
    this.object = object;
    this.encoded = encoded;
    this.findings = before?.findings ?? new Map();
  }

  /** What was found out about the document that someone applied last. */
  applied(applier: Writer): Findings | undefined {
    return this.findings.get(wordsOf(applier))?.findings;
  }

  /** How long the documents of these findings were when they were sent, and how many there are. */
  get applications(): { readonly bytes: number; readonly count: number } {
    let bytes = 0;
    for (const one of this.findings.values()) bytes += one.bytes;
    return { bytes, count: this.findings.size };
  }

  noteApplied({ applier, findings, bytes }: AppliedDocument): void {
    const words = wordsOf(applier);
    const [oldest] = this.findings.keys();
    if (!this.findings.has(words) && this.findings.size >= MOST_APPLIERS) this.findings.delete(oldest ?? '');
    this.findings.set(words, { findings, bytes });
  }

  /** Objects and lists in it, by field, metadata apart. */
  get parts(): ReadonlyMap<string, unknown> {
    this.known ??= new Map(Object.entries(this.object).filter(isPart));
    return this.known;
  }

  textOf(name: string, value: unknown): string | undefined {
    return this.parts.get(name) === value ? this.encoded?.parts.get(name) : undefined;
  }

  textOfRecord(record: unknown): string | undefined {
    return this.object.metadata.managedFields === record ? this.encoded?.record : undefined;
  }
}

const MOST_APPLIERS = 4;

/** Neither versions nor subresources have spaces in them. */
const wordsOf = ({ manager, apiVersion, subresource }: Writer): string => `${apiVersion} ${subresource} ${manager}`;

const isPart = ([name, value]: [string, unknown]): boolean =>
  name !== 'metadata' && typeof value === 'object' && value !== null;
