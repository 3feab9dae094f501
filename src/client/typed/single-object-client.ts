import { type Draft, draftOf } from '../../schema/draft.ts';
import { type AnyObject, isRefusal, type PatchForm } from '../plane-client.ts';
import type { ApplyOptions, GetOptions, WriteOptions } from '../request-options.ts';
import { apiVersionOfKind, type NamedKind, type Target } from '../served-kind.ts';
import { type ApplyOutcome, conflictsIn } from './apply-outcome.ts';
import type { Input, Patch } from './input.ts';
import type { KindReference } from './object-kind.ts';
import type { PlaneAccess, Scope } from './plane-access.ts';

/** When others change an object first so often, something is wrong. */
const MOST_ATTEMPTS = 8;

/** Reads and writes single objects of a kind, or the same subresource of them. */
export class SingleObjectClient<T extends AnyObject> {
  readonly #access: PlaneAccess;
  readonly #scope: Scope;
  readonly #subresource: string;
  readonly #documents: KindReference | undefined;

  /** `documents`: what is read and written, where that is of another kind than the objects. */
  constructor(access: PlaneAccess, scope: Scope, subresource: string, documents?: KindReference) {
    this.#access = access;
    this.#scope = scope;
    this.#subresource = subresource;
    this.#documents = documents;
  }

  async get(name: string, options?: GetOptions): Promise<T> {
    return this.#access.plane.get<T>(await this.target(name), options);
  }

  /** As `get`; undefined where there is none. */
  async find(name: string, options?: GetOptions): Promise<T | undefined> {
    return this.#access.plane.find<T>(await this.target(name), options);
  }

  /** Replaces the object that the document names. With a `resourceVersion` only if it still is that version. */
  async update(document: Input<T>, options?: WriteOptions): Promise<T> {
    const target = await this.target(nameIn(document));
    return this.#access.plane.replace<T>(target, this.complete(target.kind, document), this.writing(options));
  }

  /**
   * Reads an object, changes a copy of it and writes that. When another was faster it is read and changed again: `change`
   * may be called several times.
   */
  async edit(name: string, change: (draft: Draft<T>) => void, options?: WriteOptions): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const draft = draftOf(await this.get(name, { signal: options?.signal }));
      change(draft);
      try {
        return await this.update(draft as Input<T>, options);
      } catch (error) {
        if (attempt === MOST_ATTEMPTS || !isRefusal(error, 'Conflict')) throw error;
      }
    }
  }

  /** Changes an object by what is to be different: `{ merge }`, `{ json }` or `{ strategic }`. */
  async patch(name: string, patch: Patch<T>, options?: WriteOptions): Promise<T> {
    const [form, body] = formOf(patch);
    return this.#access.plane.patch<T>(await this.target(name), form, body, this.writing(options));
  }

  /**
   * Has an object be as the document says, and takes away what the last document said and this one does not; it is made
   * if there is none. Conflicts with others who own fields are a result, not an error. With `force` there are none.
   */
  apply(document: Input<T>, options: ApplyOptions & { readonly force: true }): Promise<{ readonly applied: T }>;
  apply(document: Input<T>, options?: ApplyOptions): Promise<ApplyOutcome<T>>;
  async apply(document: Input<T>, options?: ApplyOptions): Promise<ApplyOutcome<T>> {
    const target = await this.target(nameIn(document));
    const body = this.complete(target.kind, document);
    const given = { force: options?.force, ...this.writing(options) };
    return this.#access.plane.patch<T>(target, 'apply', body, given).then(
      (applied) => ({ applied }),
      (error: unknown) => ({ conflicts: conflictsIn(error) }),
    );
  }

  protected async target(name: string): Promise<Target> {
    // A path without its last part is another one: that of all objects.
    if (name === '') throw new TypeError('the name of the object is missing');
    const { namespace } = this.#scope;
    const kind = await this.#scope.kind();
    if (kind.namespaced && namespace === '') throw new TypeError(`${kind.plural} are in namespaces: say in which`);
    return { kind, namespace, name, subresource: this.#subresource };
  }

  protected writing(options: WriteOptions = {}): WriteOptions {
    return { ...options, fieldManager: options.fieldManager ?? this.#access.fieldManager };
  }

  /** The document with what it is. */
  protected complete(kind: NamedKind, document: object): object {
    const own = { apiVersion: apiVersionOfKind(kind), kind: kind.kind };
    return { ...(this.#documents ?? own), ...document };
  }
}

function nameIn(document: object): string {
  const { metadata } = document as { readonly metadata?: { readonly name?: string } };
  if (!metadata?.name) throw new TypeError('metadata.name: the document does not say which object it is');
  return metadata.name;
}

function formOf<T>(patch: Patch<T>): [form: PatchForm, body: object] {
  if ('merge' in patch) return ['merge', patch.merge as object];
  if ('json' in patch) return ['json', patch.json];
  return ['strategic', patch.strategic as object];
}
