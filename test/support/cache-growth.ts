import { cacheSizes } from '../../src/bounds/caches.ts';

const held = (name: string) => {
  const { bytes = 0, entries = 0 } = cacheSizes().find((cache) => cache.name === name) ?? {};
  return { bytes, entries };
};

/** How much a cache has grown since this was called: other servers of the process have caches of the same name. */
export function cacheGrowth(name: string): () => { bytes: number; entries: number } {
  const before = held(name);
  return () => {
    const now = held(name);
    return { bytes: now.bytes - before.bytes, entries: now.entries - before.entries };
  };
}
