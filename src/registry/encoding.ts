import { textOf } from '../objects/text.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Stampable } from '../storage/backend.ts';
import type { ApiObject } from './resource-type.ts';

/** Reads a stored object back. Stored bytes are canonical, so nothing is checked. */
export const parseObject = <T extends ApiObject>(bytes: Buffer): T => JSON.parse(bytes.toString('utf8')) as T;

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
    const write = isKept ? textOf : JSON.stringify;
    let [head, tail, separator] = ['', '', '{'];
    for (const [name, value] of Object.entries(object)) {
      const key = `${separator}${JSON.stringify(name)}:`;
      separator = ',';
      if (name === 'metadata') {
        const metadata = this.#metadata(object, write);
        head = `${tail}${key}${metadata.head}`;
        tail = metadata.tail;
      } else {
        tail += `${key}${typeof value === 'object' && value !== null ? write(value) : JSON.stringify(value)}`;
      }
    }
    return { head, tail: `${tail}}` };
  }

  /** The record of owners is often half of an object, and its last field. */
  #metadata({ metadata }: ApiObject, write: (value: object) => string): Stampable {
    const { managedFields, ...own } = metadata;
    const text = JSON.stringify({ ...own, resourceVersion: this.#mark });
    const at = text.indexOf(this.#mark);
    const [head, tail] = [text.slice(0, at), text.slice(at + this.#mark.length)];
    if (managedFields === undefined) return { head, tail };
    return { head, tail: `${tail.slice(0, -1)},"managedFields":${write(managedFields)}}` };
  }
}
