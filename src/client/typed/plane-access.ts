import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { Dial, Open, OpenStream } from '../http-transport.ts';
import type { InformedPlane } from '../informing/informed-plane.ts';
import type { PlaneClient } from '../plane-client.ts';
import type { NamedKind } from '../served-kind.ts';

/** How the clients of kinds reach a plane. */
export interface PlaneAccess {
  readonly plane: PlaneClient;
  readonly openStream: OpenStream;
  /** Requests whose bodies or answers are streams. */
  readonly open: Open;
  /** Connections that leave HTTP. */
  readonly dial: Dial;
  readonly informed: InformedPlane;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  /** The owner of fields that are written, where a call names no other. */
  readonly fieldManager: string;
}

/** A kind as the plane calls it. Some have to be asked for first. */
export type KindSource = () => NamedKind | Promise<NamedKind>;

/** Where a client works: a kind, in one namespace or, with '', everywhere or in none. */
export interface Scope {
  readonly kind: KindSource;
  readonly namespace: string;
}
