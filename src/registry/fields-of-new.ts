import { sharingOf } from '../apply/derive-sharing.ts';
import type { FieldsV1 } from '../apply/fields-v1.ts';
import { type Outline, OutlineBudget } from '../apply/outline.ts';
import { outlineOfEntry } from '../apply/sharing.ts';
import { BoundedCache } from '../bounds/bounded-cache.ts';
import { textOf } from '../objects/text.ts';
import { Later } from '../runtime/later.ts';
import type { Steps } from '../runtime/pacing.ts';
import { canonicalise } from '../schema/derive/canonical.ts';
import { isObject } from '../schema/json-object.ts';
import { ignoredBy } from './ignored-fields.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';

/** What was found of one object, for all that are like it. */
interface Known {
  readonly outline: Outline;
  readonly fields: FieldsV1;
  readonly bytes: number;
}

/** What is known of one type, the newest first. */
interface KnownOfType {
  readonly all: readonly Known[];
  /** How many objects were like none of them. */
  missed: number;
}

/** So many outlines are held against a new object at most. */
const MOST_OUTLINES = 4;
/** Where objects are all different, one in so many is looked at for those that may come. */
const REMEMBERED_OF = 4;
/** The fields themselves and their text take more than their outline. */
const SIZE_BESIDE_OUTLINE = 4;

/**
 * Which fields whoever makes an object owns, in recorded form. Objects that come in numbers are alike, as the pods of one
 * set are: their fields are found out once, and are one value with one text.
 */
export class FieldsOfNew {
  static readonly CAPACITY = 4 << 20;

  readonly #known = new BoundedCache<ResourceType, KnownOfType>({
    name: 'fields-of-new-objects',
    capacity: FieldsOfNew.CAPACITY,
    sizeOf: (_, { all }) => all.reduce((sum, { bytes }) => sum + bytes, 0),
  });

  /** `isLarge`: the object is one to whose every part it would take long to look. */
  *of(type: ResourceType, sent: ApiObject, isLarge: boolean): Steps<FieldsV1> {
    const found = isLarge ? undefined : this.#recall(type, sent);
    if (found) return found;
    const fields: FieldsV1 = {};
    const later = new Later();
    sharingOf(type.schema).writeNew(nothingOf(type), sent, ignoredBy(type, ''), fields, later);
    yield* later.all();
    if (!isLarge) this.#remember(type, sent, fields);
    return fields;
  }

  #recall(type: ResourceType, sent: ApiObject): FieldsV1 | undefined {
    const fields = this.#known.get(type)?.all.find(({ outline }) => outline.fits(sent))?.fields;
    // It will be written again and again.
    if (fields) textOf(fields);
    return fields;
  }

  #remember(type: ResourceType, sent: ApiObject, fields: FieldsV1): void {
    const known = this.#known.get(type);
    if (known && ++known.missed % REMEMBERED_OF !== 0) return;
    const budget = new OutlineBudget();
    const outline = outlineOfEntry(sharingOf(type.schema), nothingOf(type), sent, ignoredBy(type, ''), budget);
    if (!outline) return;
    const found = { outline, fields: frozen(fields), bytes: SIZE_BESIDE_OUTLINE * budget.spent };
    this.#known.set(type, { all: [found, ...(known?.all ?? [])].slice(0, MOST_OUTLINES), missed: 0 });
  }
}

/** Many objects will have it. */
function frozen(fields: FieldsV1): FieldsV1 {
  for (const inside of Object.values(fields)) if (isObject(inside)) frozen(inside);
  return Object.freeze(fields);
}

const nothings = new WeakMap<ResourceType, unknown>();

/** The object before anything was said about it; never changed. */
export function nothingOf(type: ResourceType): unknown {
  const known = nothings.get(type);
  if (known) return known;
  const made: unknown = canonicalise(type.schema, {}).value;
  nothings.set(type, made);
  return made;
}
