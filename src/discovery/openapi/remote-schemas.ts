import type { Document } from '../document.ts';

/** What another server says of its schemas in the older document, for some versions that it answers for. */
export interface RemoteV2 {
  /** For the log. */
  readonly source: string;
  /** The whole document, in JSON. Nobody has looked at it. */
  readonly bytes: Buffer;
  /** What the paths begin with that are its own: `/apis/<group>/<version>/`. */
  readonly prefixes: readonly string[];
}

/** Schemas of versions that other servers answer for. */
export interface RemoteSchemas {
  /** Grows when another document is known. */
  readonly revision: number;
  /** Whether another server answers for the version. */
  has(group: string, version: string): boolean;
  /** Those that are known. Settles when every server has been asked of which nothing was known. */
  v2(): Promise<readonly RemoteV2[]> | readonly RemoteV2[];
  /** Documents of the newer flavour by part, `apis/<group>/<version>`, as far as they are known. */
  parts(): Promise<ReadonlyMap<string, Document>> | ReadonlyMap<string, Document>;
  /** Of one part; undefined: no other server has it, or tells. */
  part(name: string): Promise<Document | undefined> | Document | undefined;
  /** A document that is of no use. */
  onError(source: string, error: unknown): void;
}
