import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { ApiError, badRequest, tooManyRequests } from '../api/errors.ts';
import { FairLine } from '../bounds/fair-line.ts';
import { inSteps, type Rest } from '../runtime/pacing.ts';
import { systemRuntime, type Timer } from '../runtime/runtime.ts';
import { parseJsonInSteps } from './json-reading.ts';
import { readYaml, type YamlDocument, type YamlLimits } from './yaml-text.ts';
import { writeYaml } from './yaml-writing.ts';

/** What the thread is asked: to read a document, or to write one. */
export type Question = { readonly text: string; readonly limits: YamlLimits } | { readonly json: string };

/** What it answers: a document as JSON, or as YAML, or the error that the client gets. */
export type Answer =
  | { readonly json: string; readonly repeated: readonly string[] }
  | { readonly yaml: string }
  | { readonly reason: ApiError['reason']; readonly message: string };

/**
 * Shorter texts of few values are read at once, here: it takes a few milliseconds, unless what they hold once stands in many
 * places.
 */
const SHORT = 4 << 10;
const FEW_VALUES = 400;
const isQuick = (text: string): boolean =>
  text.length <= SHORT && !text.includes('&') && (text.match(VALUE_BEFORE)?.length ?? 0) <= FEW_VALUES;
/** What may come before a value; indicators within texts count as well. */
const VALUE_BEFORE = /[\n,[{]/g;

/** A text that takes longer is given up. The worst that is read takes two seconds on a machine of today. */
const PATIENCE_MS = 10_000;
const [MOST_WAITING, MOST_OF_ONE] = [100, 25];
/** The thread goes when nobody had anything to read for so long. */
const IDLE_MS = 10_000;
/** Of what a server may use, the thread's heap may have a quarter, within these bounds. */
const [MOST_MEGABYTES, LEAST_MEGABYTES, PART] = [512, 64, 0.25];

let memory = Number.POSITIVE_INFINITY;

/** A server of this process may use so many bytes: the thread, which all of them share, keeps to the least. */
export function limitYamlMemory(bytes: number): void {
  memory = Math.min(memory, bytes);
}

export const yamlMegabytes = (bytes: number): number =>
  Math.floor(Math.min(MOST_MEGABYTES, Math.max(LEAST_MEGABYTES, (bytes * PART) / 2 ** 20)));

interface Job {
  readonly question: Question;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/**
 * Reads and writes long documents in YAML on a thread of its own: it takes some ten microseconds a line, in one go, which
 * nobody else should have to wait for. One document after the other, those of all senders in turn; the thread is there only
 * while there is something to read.
 */
class YamlThread {
  readonly #program: URL;
  readonly #waiting = new FairLine<Job>({ most: MOST_WAITING, mostOfOne: MOST_OF_ONE });
  #job: Job | undefined;
  #worker: Worker | undefined;
  #timer: Timer | undefined;
  /** A thread is going, whose memory is not free yet. */
  #isEnding = false;

  constructor(program: URL) {
    this.#program = program;
  }

  /** Never answers with an error: rejects with it. */
  ask(question: Question, sender: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.add(sender, { question, resolve, reject })) this.#next();
      else reject(tooManyRequests('too many documents in YAML are under way', 1));
    });
  }

  #next(): void {
    if (this.#job || this.#isEnding) return;
    this.#timer?.cancel();
    this.#job = this.#waiting.take();
    if (!this.#job) {
      if (this.#worker) this.#timer = systemRuntime.after(IDLE_MS, () => this.#end());
      return;
    }
    this.#timer = systemRuntime.after(PATIENCE_MS, () => this.#fail(badRequest(TOO_LONG)));
    this.#worker ??= this.#begin();
    this.#worker.postMessage(this.#job.question);
  }

  #begin(): Worker {
    // The heap of the process has its size by now; the option it has it of would count for the thread, and not its limit.
    setFlagsFromString('--max-old-space-size=0');
    const worker = new Worker(this.#program, { resourceLimits: { maxOldGenerationSizeMb: yamlMegabytes(memory) } });
    // An idle thread keeps no process alive; whoever waits for a document has a connection that does.
    worker.unref();
    worker.on('message', (answer: Answer) => {
      if (this.#worker === worker) this.#answered(answer);
    });
    worker.on('error', (error) => {
      if (this.#worker !== worker) return;
      const isTooLarge = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#fail(isTooLarge ? badRequest(TOO_LARGE) : error);
    });
    return worker;
  }

  #answered(answer: Answer): void {
    const job = this.#job;
    this.#job = undefined;
    if ('reason' in answer) job?.reject(new ApiError(answer.reason, answer.message));
    else job?.resolve(answer);
    this.#next();
  }

  /** A thread that failed is not used again; those who wait get a new one, once it is gone. */
  #fail(error: Error): void {
    const job = this.#job;
    this.#job = undefined;
    this.#end();
    job?.reject(error);
    this.#next();
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    if (!worker) return;
    this.#isEnding = true;
    const goOn = (): void => {
      this.#isEnding = false;
      this.#next();
    };
    worker.terminate().then(goOn, goOn);
  }
}

const TOO_LONG = 'the document takes too long in YAML: send it, or ask for it, in JSON';
const TOO_LARGE = 'the document takes too much memory in YAML: send it, or ask for it, in JSON';

/** Part of the bundle. Where the source itself is run, there is none, and everything is read here. */
const program = new URL('./codec/yaml-thread-program.js', import.meta.url);
let thread: YamlThread | undefined;

/** The first document of a text, read on the side if it is long. `sender`: whose text it is. */
export async function readLongYaml(
  text: string,
  limits: YamlLimits,
  rest: Rest,
  sender: string,
): Promise<YamlDocument> {
  if (isQuick(text) || !existsSync(program)) return readYaml(text, limits);
  thread ??= new YamlThread(program);
  const answer = await thread.ask({ text, limits }, sender);
  if (!('json' in answer)) throw new TypeError('the thread read no document');
  return { value: await inSteps(parseJsonInSteps(answer.json), rest), repeated: answer.repeated };
}

/** JSON as YAML, written on the side if it is long. `reader`: whom it is for. */
export async function yamlOfJson(json: string, reader: string): Promise<string> {
  if (json.length <= SHORT || !existsSync(program)) return writeYaml(JSON.parse(json));
  thread ??= new YamlThread(program);
  const answer = await thread.ask({ json }, reader);
  if (!('yaml' in answer)) throw new TypeError('the thread wrote no document');
  return answer.yaml;
}
