import { signal } from '@preact/signals';
import { isObject, type JsonObject, textAt } from '../api/json.ts';
import { isAborted, messageOf, Refusal, sendForJson } from '../api/request.ts';
import { documentsFrom, pause } from '../api/watching.ts';
import { collectionPath, type Kind, objectPath } from '../state/catalogue.ts';

const AGAIN_MS = 1_500;

/** One object, as it is at the moment. */
export class LiveObject {
  readonly object = signal<JsonObject | undefined>(undefined);
  readonly problem = signal<Error | undefined>(undefined);
  /** It was there, and is not any more; `object` is its last state. */
  readonly isGone = signal(false);
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  readonly #ended = new AbortController();

  constructor(kind: Kind, namespace: string, name: string) {
    this.kind = kind;
    this.namespace = namespace;
    this.name = name;
    void this.#follow();
  }

  get path(): string {
    return objectPath(this.kind, this.namespace, this.name);
  }

  close(): void {
    this.#ended.abort();
  }

  /** Takes over what a write answered, before it comes through the watch. */
  take(object: JsonObject): void {
    this.object.value = object;
    this.isGone.value = false;
  }

  async #follow(): Promise<void> {
    const { signal: ended } = this.#ended;
    while (!ended.aborted) {
      try {
        const object = await sendForJson(this.path, { signal: ended });
        this.take(object);
        this.problem.value = undefined;
        if (!this.kind.verbs.includes('watch')) return;
        await this.#watch(textAt(object, 'metadata', 'resourceVersion'));
      } catch (error) {
        if (isAborted(error)) return;
        if (error instanceof Refusal && error.status === 404 && this.object.value) this.isGone.value = true;
        else this.problem.value = error instanceof Error ? error : new Error(messageOf(error));
        if (error instanceof Refusal && [401, 403].includes(error.status)) return;
      }
      await pause(AGAIN_MS, ended);
    }
  }

  async #watch(resourceVersion: string): Promise<void> {
    const fieldSelector = `metadata.name=${this.name.replace(/[\\,=]/g, '\\$&')}`;
    const query = new URLSearchParams({ watch: 'true', fieldSelector, resourceVersion });
    const path = `${collectionPath(this.kind, this.namespace)}?${query}`;
    for await (const { type, object } of documentsFrom(path, 'application/json', this.#ended.signal)) {
      if (type === 'ERROR') return;
      if (!isObject(object)) continue;
      this.object.value = object;
      this.isGone.value = type === 'DELETED';
    }
  }
}
