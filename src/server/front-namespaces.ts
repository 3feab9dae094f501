import { type KnownNamespace, NO_SUCH_NAMESPACE } from '../admission/namespace/namespace-source.ts';
import { ApiError, unavailable } from '../api/errors.ts';
import { RememberedAnswers } from '../outbound/remembered-answers.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { isObject } from '../schema/json-object.ts';

/** How long it is taken to be so that a namespace is there, and that it is not. */
const THERE_MS = 10_000;
const ABSENT_MS = 1_000;

/** Reads a path of the server in front. */
export type ReadFront = (path: string) => Promise<{ readonly status: number; readonly body: Buffer }>;

/** Namespaces of the server in front, which has them: it is asked, and taken at its word for a while. */
export class FrontNamespaces {
  readonly #read: ReadFront;
  readonly #answers: RememberedAnswers<KnownNamespace>;

  constructor(read: ReadFront, runtime: Runtime) {
    this.#read = read;
    this.#answers = new RememberedAnswers({
      name: 'front-namespaces',
      isYes: (namespace) => namespace !== NO_SUCH_NAMESPACE,
      yesMs: THERE_MS,
      noMs: ABSENT_MS,
      runtime,
    });
  }

  /** Rejects with 503 when the server in front does not tell. */
  find(name: string): KnownNamespace | Promise<KnownNamespace> {
    return this.#answers.answerTo(name, () => this.#ask(name));
  }

  async #ask(name: string): Promise<KnownNamespace> {
    try {
      const { status, body } = await this.#read(`/api/v1/namespaces/${encodeURIComponent(name)}`);
      if (status === 404) return NO_SUCH_NAMESPACE;
      if (status !== 200) throw new Error(`it answered ${status}`);
      const namespace: unknown = JSON.parse(body.toString('utf8'));
      const isGoing = isObject(namespace) && isObject(namespace.status) && namespace.status.phase === 'Terminating';
      return isGoing ? 'going' : 'there';
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw unavailable(`the server in front does not tell of the namespace ${JSON.stringify(name)}: ${reason}`);
    }
  }
}
