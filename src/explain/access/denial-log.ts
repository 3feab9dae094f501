import type { Attributes } from '../../authorization/attributes.ts';
import { textBytes, valueBytes } from '../../bounds/bounded-cache.ts';
import { type Cache, registerCache } from '../../bounds/caches.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { CallerDenials } from './caller-denials.ts';
import type { KeptDenial, Refusal } from './kept-denial.ts';

const KEPT_MS = 15 * 60_000;
const CAPACITY = 4 << 20;
/** What one caller may have of it: whoever floods the log pushes out their own denials. */
const MOST_OF_ONE = 100;
const MOST_BYTES_OF_ONE = CAPACITY / 16;
/** Maps, the record itself, its texts of fixed length. */
const RECORD_BYTES = 600;

/**
 * Remembers denials for some minutes. The very same denial is remembered once. Each caller has a share; when all shares
 * together are too much, one of those with the most denials loses its oldest.
 */
export class DenialLog implements Cache {
  readonly name = 'denials';
  readonly #runtime: Runtime;
  readonly #byId = new Map<string, KeptDenial>();
  readonly #callers = new Map<string, CallerDenials>();
  /** Callers by how many denials they have. */
  readonly #bySize = Array.from({ length: MOST_OF_ONE + 1 }, () => new Set<CallerDenials>());
  #bytes = 0;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
    registerCache(this);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get entries(): number {
    return this.#byId.size;
  }

  /** Gives the id; undefined of what is too large to be remembered. */
  note(refusal: Refusal): string | undefined {
    const name = refusal.impersonator || refusal.attributes.user.name;
    const caller = this.#callers.get(name) ?? new CallerDenials(name);
    const key = keyOf(refusal.attributes);
    const known = caller.denials.get(key);
    const now = this.#runtime.monotonic();
    const denial: KeptDenial = {
      id: known?.id ?? this.#runtime.uuid(),
      caller: name,
      key,
      bytes: bytesOf(refusal, key),
      refusal,
      count: (known?.count ?? 0) + 1,
      firstMs: known?.firstMs ?? now,
      lastMs: now,
    };
    if (known) this.#forget(known);
    if (caller.bytesWith(denial) > MOST_BYTES_OF_ONE && !this.#makeRoom(caller, denial)) return undefined;
    if (caller.denials.size >= MOST_OF_ONE) this.#forgetOldest(caller);
    this.#keep(caller, denial);
    for (let largest = this.#largest(); this.#bytes > CAPACITY && largest; largest = this.#largest()) {
      this.#forgetOldest(largest);
    }
    return denial.id;
  }

  find(id: string): KeptDenial | undefined {
    const denial = this.#byId.get(id);
    return denial && !this.#isOld(denial) ? denial : undefined;
  }

  /** Those that are not too old, of this moment. */
  all(): KeptDenial[] {
    return [...this.#byId.values()].filter((denial) => !this.#isOld(denial));
  }

  age(): void {
    for (const denial of this.#byId.values()) if (this.#isOld(denial)) this.#forget(denial);
  }

  #isOld({ lastMs }: KeptDenial): boolean {
    return this.#runtime.monotonic() - lastMs > KEPT_MS;
  }

  /** Whether there is room for a denial once others of the caller are gone. */
  #makeRoom(caller: CallerDenials, denial: KeptDenial): boolean {
    while (caller.denials.size > 0 && caller.bytesWith(denial) > MOST_BYTES_OF_ONE) this.#forgetOldest(caller);
    return caller.bytesWith(denial) <= MOST_BYTES_OF_ONE;
  }

  #largest(): CallerDenials | undefined {
    const [largest] = this.#bySize.findLast((callers) => callers.size > 0) ?? [];
    return largest;
  }

  #forgetOldest(caller: CallerDenials): void {
    const [oldest] = caller.denials.values();
    if (oldest) this.#forget(oldest);
  }

  #keep(caller: CallerDenials, denial: KeptDenial): void {
    this.#callers.set(caller.name, caller);
    this.#byId.set(denial.id, denial);
    this.#resized(caller, () => caller.add(denial));
  }

  #forget(denial: KeptDenial): void {
    const caller = this.#callers.get(denial.caller);
    this.#byId.delete(denial.id);
    if (!caller) return;
    this.#resized(caller, () => caller.delete(denial));
    if (caller.denials.size === 0) this.#callers.delete(caller.name);
  }

  #resized(caller: CallerDenials, change: () => void): void {
    this.#bytes -= caller.bytes;
    this.#bySize[caller.denials.size]?.delete(caller);
    change();
    if (caller.denials.size > 0) this.#bySize[caller.denials.size]?.add(caller);
    this.#bytes += caller.bytes;
  }
}

/** Of a request for a resource the path says nothing more. */
function keyOf({ user, resourceRequest, path, ...wanted }: Attributes): string {
  const { verb, group, version, resource, subresource, namespace, name } = wanted;
  const what = resourceRequest ? [group, version, resource, subresource, namespace, name] : [path];
  return JSON.stringify([user.name, verb, ...what]);
}

const bytesOf = ({ message, decision, attributes, auditId }: Refusal, key: string): number =>
  RECORD_BYTES + 2 * textBytes(key) + textBytes(message + attributes.path + auditId) + valueBytes(decision);
