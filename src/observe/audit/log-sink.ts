import type { Sink } from './backend.ts';
import type { AuditEvent } from './event.ts';
import { legacyLine } from './legacy-line.ts';

/** Where lines are appended to. */
export interface LineWriter {
  /** `text` ends with a line break. Rejects when not all of it could be written; none of it is there then. */
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  readonly text: string;
  resolve(): void;
  reject(error: unknown): void;
}

/** Writes events a line each. What comes while a write is under way goes with the next one, all at once. */
export class LogSink implements Sink {
  readonly name = 'log';
  readonly #writer: LineWriter;
  readonly #line: (event: AuditEvent) => string;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(writer: LineWriter, format: 'json' | 'legacy') {
    this.#writer = writer;
    this.#line = format === 'json' ? ({ text }) => text : legacyLine;
  }

  send(events: readonly AuditEvent[]): Promise<void> {
    const text = events.map((event) => `${this.#line(event)}\n`).join('');
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#writer.close();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      try {
        await this.#writer.append(group.map(({ text }) => text).join(''));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#writing = undefined;
  }
}

/** Lines on the standard output. */
export const standardOutput: LineWriter = {
  append: (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    }),
  close: () => Promise.resolve(),
};
