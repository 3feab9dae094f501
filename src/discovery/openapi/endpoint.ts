import type { ResourceType } from '../../registry/resource-type.ts';
import type { Node } from '../../schema/node.ts';
import type { Parameter } from './parameters.ts';

/** What can be asked of a path, before it is written down in one flavour or the other. */

export type Method = 'delete' | 'get' | 'head' | 'options' | 'patch' | 'post' | 'put';

export interface GroupVersionKind {
  readonly group: string;
  readonly kind: string;
  readonly version: string;
}

/** An answer of success, by its status. */
export interface Answer {
  readonly status: number;
  readonly node: Node;
}

export interface Operation {
  readonly method: Method;
  /** Unique among all operations; generators of clients make it the name of a function. */
  readonly id: string;
  readonly description: string;
  /** What is done; absent for documents. */
  readonly action?: string;
  /** The kind it is done to. */
  readonly kind?: GroupVersionKind;
  readonly query: readonly Parameter[];
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly body?: { readonly node: Node; readonly required: boolean };
  readonly answers: readonly Answer[];
}

export interface Endpoint {
  readonly path: string;
  readonly tag: string;
  /** What all operations of the path share. */
  readonly parameters: readonly Parameter[];
  readonly operations: readonly Operation[];
}

/** A part of the API that can have a document of its own. */
export interface Part {
  /** Its path: `api/v1`, `apis/apps`. */
  readonly name: string;
  /** What the document depends on: as long as these are the same values, it is the same. */
  readonly types: readonly ResourceType[];
  /** Worked out anew at each call. */
  endpoints(): Endpoint[];
}
