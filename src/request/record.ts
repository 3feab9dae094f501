import type { AnnotationLevel } from '../registry/admission.ts';
import type { Node } from '../schema/node.ts';

/** What the document of a request is meant to be. */
export interface DocumentType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: Node;
  readonly sensitive?: boolean;
}

/** What is kept of a request on its way by whoever records requests. */
export interface RequestRecord {
  annotate(key: string, value: string, level: AnnotationLevel): void;
  /** The JSON value that the client sent. Without a type it is no object but a change of one. Never changed. */
  document(value: unknown, type?: DocumentType): void;
}
