import type { Readable, Writable } from 'node:stream';

/** What a command has around it, so that tests can be a terminal. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where relative paths start. */
  readonly cwd: string;
  readonly home: string;
  /** Somebody has pressed Ctrl-C. */
  readonly interrupted: AbortSignal;
}

/** Writes, and waits while the reader is slower. A reader that has gone, such as `head`, ends it quietly. */
export function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (!error || ('code' in error && error.code === 'EPIPE')) resolve();
      else reject(error);
    });
  });
}
