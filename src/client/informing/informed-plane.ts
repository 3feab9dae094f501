import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { PlaneClient } from '../plane-client.ts';

/** The body of an answer as it comes in, such as a message of Node's HTTP. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  readonly statusCode?: number | undefined;
  readonly headers?: { readonly [name: string]: string | readonly string[] | undefined };
  /** Ends the connection; whoever reads gets the error. */
  destroy(error?: Error): unknown;
}

/** Opens a watch: gives the answer, whatever its status, for the caller to read or destroy. */
export type OpenByteStream = (target: string, accept: string) => Promise<ByteStream>;

/** How informers reach a plane. */
export interface InformedPlane {
  readonly runtime: Runtime;
  readonly client: PlaneClient;
  readonly openStream: OpenByteStream;
  readonly vocabulary: Pick<Vocabulary, 'groups' | 'annotations'>;
}
