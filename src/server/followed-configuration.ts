import { readFile, stat } from 'node:fs/promises';
import type { Logger } from '../observe/logging/logger.ts';
import type { Recorder } from '../observe/metrics/recorder.ts';
import { followFiles } from '../pki/followed-files.ts';
import type { Runtime } from '../runtime/runtime.ts';

const MOST_BYTES = 4 * 2 ** 20;

export interface FollowedConfigurationOptions<T> {
  /** What the configuration is about, in metrics and messages. */
  readonly subject: 'authentication' | 'authorization';
  readonly file: string;
  /** Rejects with what to tell the operator. Must leave nothing behind then. */
  read(text: string): Promise<T>;
  /** From now on this is the configuration. */
  adopt(configuration: T): void;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly recorder: Recorder;
}

/**
 * Reads a configuration file, and reads it again whenever it changes. Rejects when it makes no sense at the start. Later
 * on such a file is told of and counted, and the former one stays.
 */
export async function followConfiguration<T>(options: FollowedConfigurationOptions<T>): Promise<{ close(): void }> {
  const { file, runtime, read, adopt } = options;
  const first = await textOf(options);
  adopt(await explained(options, () => read(first)));
  const reloading = new Reloading(options, first);
  const followed = followFiles([file], runtime, () => reloading.begin());
  return {
    close() {
      followed.close();
      reloading.end();
    },
  };
}

/** Reads one at a time: what was read later counts. */
class Reloading<T> {
  readonly #options: FollowedConfigurationOptions<T>;
  #text: string;
  #last: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(options: FollowedConfigurationOptions<T>, text: string) {
    this.#options = options;
    this.#text = text;
  }

  begin(): void {
    this.#last = this.#last.then(() => this.#reload());
  }

  end(): void {
    this.#ended = true;
  }

  async #reload(): Promise<void> {
    const { subject, file, logger, read, adopt } = this.#options;
    try {
      const text = await textOf(this.#options);
      if (text === this.#text || this.#ended) return;
      const configuration = await explained(this.#options, () => read(text));
      if (this.#ended) return;
      adopt(configuration);
      this.#text = text;
      this.#count('success');
      logger.info({ file }, `the ${subject} configuration was read again and counts from now on`);
    } catch (error) {
      this.#count('failure');
      logger.error({ err: error, file }, `the ${subject} configuration cannot be used; the former one stays`);
    }
  }

  #count(status: 'success' | 'failure'): void {
    const { subject, recorder, runtime } = this.#options;
    const name = `apiserver_${subject}_config_controller_automatic_reload` as const;
    recorder.number(`${name}s_total`, [status]).value++;
    recorder.number(`${name}_last_timestamp_seconds`, [status]).value = runtime.now() / 1000;
  }
}

const textOf = (options: FollowedConfigurationOptions<unknown>): Promise<string> =>
  explained(options, async () => {
    const { size } = await stat(options.file);
    if (size > MOST_BYTES) throw new Error(`larger than ${MOST_BYTES} bytes`);
    return await readFile(options.file, 'utf8');
  });

/** Errors say which flag and file they are about. */
async function explained<R>(
  { subject, file }: FollowedConfigurationOptions<unknown>,
  act: () => Promise<R>,
): Promise<R> {
  try {
    return await act();
  } catch (cause) {
    const told = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`--${subject}-config ${file}: ${told}`, { cause });
  }
}
