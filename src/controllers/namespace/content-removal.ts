import { ApiError } from '../../api/errors.ts';
import { type AnyObject, type ListedObjects, unless } from '../../client/plane-client.ts';
import type { ServedKind } from '../../client/served-kind.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import { sideBySide } from '../../runtime/side-by-side.ts';
import type { LoopPlane } from '../loop.ts';
import { contentStages, isPods } from './content-order.ts';
import type { NamespaceFindings } from './findings.ts';

const KINDS_AT_ONCE = 4;
const DELETIONS_AT_ONCE = 16;
/** Objects of one request: few enough that it is over within any term. */
const PAGE = 500;
/** How long whoever put a finalizer on something is thought to take. */
const FINALIZER_SECONDS = 15;
/** Finalizers beyond so many different ones are not counted. */
const MOST_FINALIZERS = 1_000;

const BACKGROUND = { propagationPolicy: 'Background' } as const;

/** A namespace whose content is to go. */
export interface GoingNamespace {
  readonly name: string;
  /** When it was deleted, in milliseconds since the epoch. */
  readonly since: number;
  /** Whether a pass has been made before: all that is on its way out has been asked to go then. */
  readonly isKnown: boolean;
}

/** What is left of a kind. */
interface Remainder {
  readonly count: number;
  /** How many of these are on their way out. */
  readonly going: number;
  readonly finalizers: ReadonlyMap<string, number>;
}

/**
 * One pass over the content of a namespace: everything is deleted that its turn has come for, and counted if it is still
 * there. What remains is found by asking, never by what is known: known things may be late.
 */
export class ContentRemoval implements NamespaceFindings {
  readonly undiscovered: ReadonlyMap<string, string>;
  readonly failures: string[] = [];
  readonly remaining = new Map<string, number>();
  readonly finalizers = new Map<string, number>();
  /** The kinds of what remains. */
  readonly held: ServedKind[] = [];
  /** After so many seconds what remains may be gone. */
  estimateSeconds = 0;
  readonly #plane: LoopPlane;
  readonly #namespace: GoingNamespace;

  constructor(plane: LoopPlane, namespace: GoingNamespace) {
    this.#plane = plane;
    this.#namespace = namespace;
    this.undiscovered = plane.kinds.undiscovered?.() ?? new Map();
  }

  /** Whether everything is known to be gone. */
  get isEmpty(): boolean {
    return !this.#isHeld && this.undiscovered.size === 0;
  }

  get #isHeld(): boolean {
    return this.held.length > 0 || this.failures.length > 0;
  }

  async run(): Promise<void> {
    for (const { kinds, begins } of contentStages(this.#plane)) {
      if (begins !== 'at once' && this.#isHeld) return;
      if (begins === 'last' && !this.isEmpty) return;
      await sideBySide(kinds, KINDS_AT_ONCE, (kind) =>
        this.#remove(kind).catch((error: unknown) => {
          this.failures.push(messageOf(error));
        }),
      );
    }
  }

  async #remove(kind: ServedKind): Promise<void> {
    const before = await this.#look(kind);
    if (before.count === 0) return;
    const grace = isPods(kind) ? await this.#graceOf(kind) : 0;
    const isAsked = this.#namespace.isKnown && before.going === before.count;
    const failure = isAsked ? undefined : await this.#deleteAll(kind).then(() => undefined, messageOf);
    const left = isAsked ? before : await this.#look(kind);
    if (failure !== undefined) this.failures.push(failure);
    if (left.count > 0) this.#hold(kind, left);
    if (left.count > 0 && failure === undefined) this.#expect(kind, left, grace);
  }

  #hold(kind: ServedKind, { count, finalizers }: Remainder): void {
    this.held.push(kind);
    this.remaining.set(`${kind.plural}.${kind.group}`, count);
    for (const [finalizer, held] of finalizers) addTo(this.finalizers, finalizer, held);
  }

  /** What remains has its time. What has none should have gone. */
  #expect(kind: ServedKind, { finalizers }: Remainder, grace: number): void {
    const { name, since } = this.#namespace;
    const elapsed = (this.#plane.runtime.now() - since) / 1000;
    const waiting = finalizers.size > 0 ? FINALIZER_SECONDS : 0;
    const estimate = grace > elapsed ? grace : waiting;
    this.estimateSeconds = Math.max(this.estimateSeconds, estimate);
    if (estimate > 0) return;
    const which = `${kind.group}/${kind.version}, Resource=${kind.plural}`;
    this.failures.push(`unexpected items still remain in namespace: ${name} for gvr: ${which}`);
  }

  /** The longest time in seconds that a pod which has not ended was promised. */
  async #graceOf(kind: ServedKind): Promise<number> {
    let longest = 0;
    for await (const { spec, status } of this.#each<Pod>(kind)) {
      if (status.phase === 'Succeeded' || status.phase === 'Failed') continue;
      longest = Math.max(longest, Number(spec.terminationGracePeriodSeconds ?? 0));
    }
    return longest;
  }

  async #deleteAll(kind: ServedKind): Promise<void> {
    if (!kind.verbs.includes('deletecollection')) return this.#deleteEach(kind);
    try {
      await this.#deletePages(kind);
    } catch (error) {
      // One that may not be deleted keeps a collection from going on: the others go all the same.
      if (!isAboutOne(error)) throw error;
      await this.#deleteEach(kind);
    }
  }

  async #deletePages(kind: ServedKind): Promise<void> {
    const { client } = this.#plane;
    const { name } = this.#namespace;
    let next: string | undefined = '';
    do {
      const page: { limit: number; next: string } = { limit: PAGE, next };
      next = await client.deleteCollection(kind, name, BACKGROUND, page).catch(unless('Expired'));
    } while (next);
    // What there was when it began is no longer known: all of it in one go.
    if (next === undefined) await client.deleteCollection(kind, name, BACKGROUND);
  }

  async #deleteEach(kind: ServedKind): Promise<void> {
    const { client } = this.#plane;
    const namespace = this.#namespace.name;
    let next = '';
    let failure: { readonly error: unknown } | undefined;
    do {
      const page: ListedObjects<AnyObject> = await this.#list(kind, PAGE, next);
      await sideBySide(page.items, DELETIONS_AT_ONCE, ({ metadata: { name = '', uid = '' } }) =>
        client.deleteIfThere({ kind, namespace, name }, { ...BACKGROUND, preconditions: { uid } }),
      ).catch((error: unknown) => {
        failure ??= { error };
      });
      next = page.next;
    } while (next);
    if (failure) throw failure.error;
  }

  /** What is there now. */
  async #look(kind: ServedKind): Promise<Remainder> {
    let [count, going] = [0, 0];
    const finalizers = new Map<string, number>();
    for await (const { metadata } of this.#each(kind, true)) {
      count++;
      if (metadata.deletionTimestamp) going++;
      for (const finalizer of metadata.finalizers ?? []) addTo(finalizers, finalizer, 1);
    }
    return { count, going, finalizers };
  }

  async *#each<T extends AnyObject>(kind: ServedKind, metadataOnly = false): AsyncIterable<T> {
    let next = '';
    do {
      const page: ListedObjects<T> = await this.#list<T>(kind, PAGE, next, metadataOnly);
      yield* page.items;
      next = page.next;
    } while (next);
  }

  #list<T extends AnyObject>(
    kind: ServedKind,
    limit: number,
    next = '',
    metadataOnly = true,
  ): Promise<ListedObjects<T>> {
    return this.#plane.client.list<T>(kind, this.#namespace.name, { limit, next, metadataOnly });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function addTo(counts: Map<string, number>, name: string, more: number): void {
  const count = counts.get(name);
  if (count !== undefined || counts.size < MOST_FINALIZERS) counts.set(name, (count ?? 0) + more);
}

/** Whether a refusal may be about one of the objects rather than about the request, its load or its time. */
const isAboutOne = (error: unknown): boolean => error instanceof ApiError && ![429, 503, 504].includes(error.code);
