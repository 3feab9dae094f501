import { documentFields } from './difference.ts';
import type { FieldSet } from './field-set.ts';
import type { FieldsV1 } from './fields-v1.ts';
import type { Sharing } from './sharing.ts';

/** The places that an applied document fills in, but for those that nobody can own. */
export class AppliedFields {
  private readonly sharing: Sharing;
  private readonly document: unknown;
  private readonly ignored: FieldSet;
  private known: FieldSet | undefined;
  private told: FieldsV1 | undefined;

  constructor(sharing: Sharing, document: unknown, ignored: FieldSet) {
    this.sharing = sharing;
    this.document = document;
    this.ignored = ignored;
  }

  /** Throws DuplicateElement. */
  get set(): FieldSet {
    this.known ??= documentFields(this.sharing, this.document).without(this.ignored);
    return this.known;
  }

  /** Throws DuplicateElement. */
  check(): void {
    void this.set;
  }

  /**
   * Whether a record says just this, which is quicker to see than to tell what the places are: most documents are applied
   * again and again. When it does, no element is in the document twice. When this is false, `set` tells for certain.
   */
  areToldBy(fields: FieldsV1): boolean {
    if (this.told === fields) return true;
    if (!this.sharing.isToldBy(fields, this.document, this.ignored)) return false;
    this.told = fields;
    return true;
  }
}
