import { Readable } from 'node:stream';
import type { TerminalSize } from '../../../client/streams/remote-process.ts';
import type { Io } from '../frame/io.ts';

interface RawInput extends Readable {
  setRawMode?(isRaw: boolean): unknown;
}

/** What a terminal was before a process elsewhere got it. */
export interface BorrowedTerminal {
  readonly sizes: AsyncIterable<TerminalSize>;
  restore(): void;
}

/** Every key goes to the process elsewhere, Ctrl-C too, and it is told the size of the terminal. */
export function borrowTerminal({ stdin, stdout }: Io): BorrowedTerminal {
  const input: RawInput = stdin;
  const sizes = new Readable({ objectMode: true, read() {} });
  const tell = (): void => {
    const { columns = 80, rows = 24 } = stdout as { columns?: number; rows?: number };
    sizes.push({ columns, rows } satisfies TerminalSize);
  };
  tell();
  stdout.on('resize', tell);
  input.setRawMode?.(true);
  return {
    sizes,
    restore() {
      stdout.off('resize', tell);
      sizes.push(null);
      input.setRawMode?.(false);
    },
  };
}
