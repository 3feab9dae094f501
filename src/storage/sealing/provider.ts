/** One way to make bytes unreadable for others, with one key. Both throw nothing but `Unsealable`. */
export interface Provider {
  /** How what it writes is marked: `aesgcm:v1:key1:`, the same for what only it can read. '' where nothing is sealed. */
  readonly mark: string;
  /** `context`: where the bytes belong. What was sealed for one place cannot be opened for another. */
  seal(plain: Buffer, context: string): Buffer;
  open(sealed: Buffer, context: string): Buffer;
  /**
   * Where keys come from elsewhere: undefined when `open` can be called, or will fail anyway; else a promise that never rejects,
   * after which it can.
   */
  prepare?(sealed: Buffer): Promise<void> | undefined;
  /** With which key of a row of them it seals now, where these follow each other without another mark. */
  readonly generation?: string;
  /** With which of them something was sealed. */
  generationOf?(sealed: Buffer): string;
}

/** Bytes that cannot be opened: with the wrong key, for another place, or changed since. */
export class Unsealable extends Error {
  override readonly name = 'Unsealable';
}

/** The key cannot be had now; it may be later. */
export class KeyUnavailable extends Unsealable {}

/** A key of a configuration. */
export interface NamedKey {
  readonly name: string;
  readonly secret: Buffer;
}

/** Stores bytes as they are. */
export const PLAIN: Provider = { mark: '', seal: (plain) => plain, open: (plain) => plain };
