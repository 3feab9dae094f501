import type { Socket } from 'node:net';
import type { Runtime } from '../../../runtime/runtime.ts';
import { StorageRefused } from '../../backend.ts';
import { callHolder, lockDirectory } from './directory-lock.ts';

/**
 * How one process reads the file of a store while another writes to it. Not through LMDB: whoever opens an environment
 * writes the number of the last transaction it has seen to the lock file, and a transaction that was committed meanwhile
 * is overwritten by the next. So the reader asks the writer, over the socket by which it holds the directory.
 *
 * Every question is one byte, and so is every answer, which says that the pages of the file are kept. From the first
 * question to the second nothing is written at all: time enough to open the file, and no more than a moment. Whatever the
 * file held then is kept until the reader goes. A connection that ends instead of answering says that it is not.
 */
const QUESTION = '?';
const ANSWER = '!';

/** Nothing is written for longer than this because somebody opens the file. */
const LONGEST_PAUSE_MS = 2_000;
/** A writer that does not answer for so long does not answer. */
const PATIENCE_MS = 60_000;
const MOST_VISITORS = 4;

/** What the writer of a file does for those who read it. */
export interface Keeper {
  /** Waits for the write that is under way, and keeps others from beginning until the returned function is called. */
  pause(): Promise<() => void>;
  /** From now on no page is written over that is in use, until the returned function is called. */
  keepPages(): () => void;
}

interface Visitor {
  readonly socket: Socket;
  release(): void;
}

/** Those who read the file that this process writes to. */
export class Visitors {
  readonly #keeper: Keeper;
  readonly #runtime: Runtime;
  readonly #present = new Set<Visitor>();
  /** Whether the file can be read. */
  #isOpen = false;

  constructor(keeper: Keeper, runtime: Runtime) {
    this.#keeper = keeper;
    this.#runtime = runtime;
  }

  readonly receive = (socket: Socket): void => {
    socket.on('error', () => undefined);
    if (!this.#isOpen || this.#present.size >= MOST_VISITORS) {
      socket.destroy();
      return;
    }
    const visitor: Visitor = { socket, release: () => undefined };
    this.#present.add(visitor);
    // Whatever fails, the visitor sees that nothing is kept.
    this.#serve(visitor).catch(() => undefined);
  };

  open(): void {
    this.#isOpen = true;
  }

  /** Nothing is kept any more. */
  dismiss(): void {
    for (const { socket, release } of this.#present) {
      release();
      socket.destroy();
    }
  }

  close(): void {
    this.#isOpen = false;
    this.dismiss();
  }

  async #serve(visitor: Visitor): Promise<void> {
    const { socket } = visitor;
    const asks = chunksOf(socket);
    const hurry = () => this.#runtime.after(LONGEST_PAUSE_MS, () => socket.destroy());
    let timer = hurry();
    try {
      if (!(await asks())) return;
      const resume = await this.#keeper.pause();
      try {
        if (socket.destroyed) return;
        visitor.release = once(this.#keeper.keepPages());
        timer.cancel();
        timer = hurry();
        socket.write(ANSWER);
        if (!(await asks())) return;
      } finally {
        timer.cancel();
        resume();
      }
      do socket.write(ANSWER);
      while (await asks());
    } finally {
      timer.cancel();
      visitor.release();
      socket.destroy();
      this.#present.delete(visitor);
    }
  }
}

/** The right to read the file of a store. */
export interface Access {
  /** Throws `StorageRefused` when what was read may not have been what the file held. */
  confirm(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Gets to read the file of a directory, a real path: from whoever holds that, and else by holding it. The file is to be
 * opened right away, and that confirmed. Throws `StorageRefused`.
 */
export async function accessTo(directory: string, runtime: Runtime): Promise<Access> {
  const socket = await callHolder(directory);
  if (socket === undefined) return accessAlone(directory, runtime);
  const answers = chunksOf(socket);
  const access: Access = {
    async confirm() {
      socket.setTimeout(PATIENCE_MS, () => socket.destroy());
      socket.write(QUESTION);
      if (!(await answers())) throw new StorageRefused(`${directory} is in use, and cannot be read: try again`);
      socket.setTimeout(0);
    },
    async close() {
      socket.destroy();
    },
  };
  await access.confirm();
  return access;
}

async function accessAlone(directory: string, runtime: Runtime): Promise<Access> {
  const confirm = async (): Promise<void> => undefined;
  try {
    const lock = await lockDirectory(directory, runtime);
    return { confirm, close: () => lock.release() };
  } catch (error) {
    // Where nothing can be written, nobody writes.
    if (error instanceof Error && 'code' in error && error.code === 'EROFS') return { confirm, close: confirm };
    throw error;
  }
}

/** Resolves with true when something comes, and with false when nothing will any more. */
function chunksOf(socket: Socket): () => Promise<boolean> {
  socket.on('error', () => undefined);
  const chunks = socket[Symbol.asyncIterator]();
  return () =>
    chunks.next().then(
      ({ done }) => done !== true,
      () => false,
    );
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
}
