import { parseJsonInSteps } from '../codec/json-reading.ts';
import { jsonInSteps } from '../codec/json-writing.ts';
import { hasText, textOf } from '../objects/text.ts';
import type { Steps } from '../runtime/pacing.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Stampable } from '../storage/backend.ts';
import type { ApiObject } from './resource-type.ts';

/** Reads a stored object back. Stored bytes are canonical, so nothing is checked. */
export const parseObject = <T extends ApiObject>(bytes: Buffer): T => JSON.parse(bytes.toString('utf8')) as T;

/** Objects of more bytes are read back in steps by those who can wait. */
const MANY_BYTES = 128 << 10;

export const isLong = (length: number): boolean => length > MANY_BYTES;

/** As `parseObject`, in steps. */
export function* parseObjectInSteps(bytes: Buffer): Steps<ApiObject> {
  // Canonical bytes are an object of the kind that they were stored as.
  return (yield* parseJsonInSteps(bytes.toString('utf8'))) as ApiObject;
}

/** The text of an object, for one write. */
class Encoded implements Stampable {
  head: string;
  tail: string;

  constructor(head: string, tail: string) {
    this.head = head;
    this.tail = tail;
  }

  release(): void {
    this.head = this.tail = '';
  }
}

/**
 * Encodes objects for storage. An object is encoded once, here; what is stored is what is sent. Its own revision is part
 * of the bytes but known only at commit, so the text is cut where `metadata.resourceVersion` belongs.
 */
export class Encoder {
  /** Stands in for the revision while metadata is encoded. Unguessable, so that no client's text can be mistaken for it. */
  readonly #mark: string;

  constructor(runtime: Runtime) {
    this.#mark = runtime.bytes(16).toString('hex');
  }

  /** `isKept`: the object will be changed again soon, so that the texts of its parts are worth keeping. */
  encode(object: ApiObject, isKept: boolean): Stampable {
    if (isKept) return this.#inParts(object, textOf);
    return isRecordKnown(object) ? this.#inParts(object, JSON.stringify) : this.#inOne(object);
  }

  /** As `encode`, in steps, for a large object. Texts of its parts are not kept. */
  *encodeInSteps(object: ApiObject): Steps<Stampable> {
    const metadata = { ...object.metadata, resourceVersion: this.#mark };
    return this.#cut(yield* jsonInSteps({ ...object, metadata }));
  }

  #inOne(object: ApiObject): Stampable {
    const metadata = { ...object.metadata, resourceVersion: this.#mark };
    return this.#cut(JSON.stringify({ ...object, metadata }));
  }

  /** Without writing anew what is the very same as before. */
  #inParts(object: ApiObject, textOfPart: (part: object) => string): Stampable {
    let [head, tail, separator] = ['', '', '{'];
    for (const name in object) {
      const value: unknown = object[name as keyof ApiObject];
      const key = `${separator}${JSON.stringify(name)}:`;
      separator = ',';
      if (name === 'metadata') {
        const metadata = this.#metadata(object);
        head = `${tail}${key}${metadata.head}`;
        tail = metadata.tail;
      } else {
        tail += `${key}${typeof value === 'object' && value !== null ? textOfPart(value) : JSON.stringify(value)}`;
      }
    }
    return new Encoded(head, `${tail}}`);
  }

  /** The record of owners is often half of an object, and its last field. */
  #metadata({ metadata }: ApiObject): Stampable {
    const { managedFields } = metadata;
    const own = { ...metadata, resourceVersion: this.#mark, managedFields: undefined };
    const { head, tail } = this.#cut(JSON.stringify(own));
    if (managedFields === undefined) return { head, tail };
    return { head, tail: `${tail.slice(0, -1)},"managedFields":${recordText(managedFields)}}` };
  }

  #cut(text: string): Stampable {
    const at = text.indexOf(this.#mark);
    return new Encoded(text.slice(0, at), text.slice(at + this.#mark.length));
  }
}

type Entry = NonNullable<ApiObject['metadata']['managedFields']>[number];

/** Whether the text of the record is there already, so that it is worth keeping apart. */
const isRecordKnown = ({ metadata: { managedFields } }: ApiObject): boolean =>
  managedFields?.every(({ fieldsV1 }) => fieldsV1 && hasText(fieldsV1)) ?? false;

const recordText = (record: readonly Entry[]): string => `[${record.map(entryText).join(',')}]`;

/** Of most entries that are new nothing is but the time: what they own is the very same, and the larger part. */
function entryText(entry: Entry): string {
  let text = '';
  for (const name in entry) {
    const value: unknown = entry[name as keyof Entry];
    if (value === undefined) continue;
    const said = typeof value === 'object' && value !== null ? textOf(value) : JSON.stringify(value);
    text += `${text === '' ? '' : ','}"${name}":${said}`;
  }
  return `{${text}}`;
}
