/** A JSON object with what all objects of a plane have. */
export interface SeenObject {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** Set by the plane at every write; they say nothing about what a writer wanted. */
const UNTOLD: ReadonlySet<string> = new Set([
  'metadata.managedFields',
  'metadata.resourceVersion',
  'metadata.generation',
  'metadata.uid',
  'metadata.creationTimestamp',
  'kind',
  'apiVersion',
]);

const MOST_FIELDS = 100;
const DEEPEST = 12;
const LONGEST_VALUE = 40;
/** Bytes of objects that are held to compare with; the ones that were not seen for longest go first. */
const MOST_BYTES = 16 * 2 ** 20;

/** One field that is not what it was. */
export interface FieldChange {
  /** `spec.replicas`. */
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** How an object differs from when it was last seen. `isNew`: nothing is known of it from before. */
export interface ObjectChange {
  readonly isNew: boolean;
  /** Whether it has the very version that it had. */
  readonly isSame: boolean;
  readonly fields: readonly FieldChange[];
}

/** Objects as they were last seen, to say what has changed about them. */
export class LastSeen {
  readonly #objects = new Map<string, { readonly object: SeenObject; readonly size: number }>();
  #bytes = 0;

  /** `size`: about how many bytes the object takes. */
  change(object: SeenObject, size: number): ObjectChange {
    const key = `${object.apiVersion} ${object.kind} ${object.metadata?.namespace} ${object.metadata?.name}`;
    const known = this.#objects.get(key);
    this.#keep(key, object, size);
    if (!known) return { isNew: true, isSame: false, fields: [] };
    const fields: FieldChange[] = [];
    collect(known.object, object, '', 0, fields);
    const isSame = known.object.metadata?.resourceVersion === object.metadata?.resourceVersion;
    return { isNew: false, isSame, fields };
  }

  #keep(key: string, object: SeenObject, size: number): void {
    this.#bytes += size - (this.#objects.get(key)?.size ?? 0);
    this.#objects.delete(key);
    this.#objects.set(key, { object, size });
    for (const [oldest, { size: freed }] of this.#objects) {
      if (this.#bytes <= MOST_BYTES) return;
      this.#objects.delete(oldest);
      this.#bytes -= freed;
    }
  }
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function collect(before: unknown, after: unknown, path: string, depth: number, fields: FieldChange[]): void {
  if (fields.length >= MOST_FIELDS || UNTOLD.has(path) || before === after) return;
  if (isMap(before) && isMap(after) && depth < DEEPEST) {
    for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
      collect(before[field], after[field], path === '' ? field : `${path}.${field}`, depth + 1, fields);
    }
  } else if (JSON.stringify(before) !== JSON.stringify(after)) fields.push({ field: path, before, after });
}

/** `spec.replicas 1 → 2, and 3 more`. */
export function changeLine({ isNew, isSame, fields }: ObjectChange, most = 3): string {
  if (isNew) return '';
  if (isSame) return 'nothing changed';
  const told = fields.slice(0, most).map(({ field, before, after }) => `${field} ${short(before)} → ${short(after)}`);
  const more = fields.length - told.length;
  return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

function short(value: unknown): string {
  if (value === undefined) return '(none)';
  const text = JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

/** `default/a`; `a` for what is in no namespace, which a Namespace is not either. */
export const placeOf = (resource: string, namespace: string, name: string): string =>
  namespace === '' || resource === 'namespaces' ? name : `${namespace}/${name}`;
