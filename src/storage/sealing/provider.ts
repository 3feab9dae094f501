/** One way to make bytes unreadable for others, with one key. Both throw nothing but `Unsealable`. */
export interface Provider {
  /** How what it writes is marked: `aesgcm:v1:key1:`, the same for what only it can read. '' where nothing is sealed. */
  readonly mark: string;
  /** `context`: where the bytes belong. What was sealed for one place cannot be opened for another. */
  seal(plain: Buffer, context: string): Buffer;
  open(sealed: Buffer, context: string): Buffer;
}

/** Bytes that cannot be opened: with the wrong key, for another place, or changed since. */
export class Unsealable extends Error {
  override readonly name = 'Unsealable';
}

/** A key of a configuration. */
export interface NamedKey {
  readonly name: string;
  readonly secret: Buffer;
}

/** Stores bytes as they are. */
export const PLAIN: Provider = { mark: '', seal: (plain) => plain, open: (plain) => plain };
