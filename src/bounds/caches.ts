import type { Runtime, Timer } from '../runtime/runtime.ts';

/** What the process knows of a cache, whoever uses it. */
export interface Cache {
  /** What it holds. Caches of one name, such as those of two servers in one process, are counted together. */
  readonly name: string;
  /** Estimated; never more than its capacity. */
  readonly bytes: number;
  readonly entries: number;
  /** Called every half a minute: drops what was not used for a while. */
  age(): void;
}

export interface CacheSize {
  readonly name: string;
  readonly bytes: number;
  readonly entries: number;
}

/** Every cache of the process. Held weakly, because those of a server end with it. */
const registered = new Set<WeakRef<Cache>>();

/** How often caches age. */
export const AGE_EVERY_MS = 30_000;

/** Caches do this themselves when they are made. */
export function registerCache(cache: Cache): void {
  registered.add(new WeakRef(cache));
}

function* caches(): Generator<Cache> {
  for (const reference of registered) {
    const cache = reference.deref();
    if (cache) yield cache;
    else registered.delete(reference);
  }
}

/** How large the caches of the process are, by name. */
export function cacheSizes(): CacheSize[] {
  const sizes = new Map<string, CacheSize>();
  for (const { name, bytes, entries } of caches()) {
    const before = sizes.get(name);
    sizes.set(name, { name, bytes: bytes + (before?.bytes ?? 0), entries: entries + (before?.entries ?? 0) });
  }
  return [...sizes.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Lets the caches of the process shrink while nobody uses them, until the timer is cancelled. */
export function ageCaches(runtime: Runtime): Timer {
  const later = (): Timer =>
    runtime.after(AGE_EVERY_MS, () => {
      for (const cache of caches()) cache.age();
      timer = later();
    });
  let timer = later();
  return { cancel: () => timer.cancel() };
}
