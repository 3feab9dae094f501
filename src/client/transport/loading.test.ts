import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const sources = fileURLToPath(new URL('../..', import.meta.url));

/** What is loaded with a file, before anything of it is called. */
function loadedWith(file: string, seen = new Set<string>()): ReadonlySet<string> {
  const text = readFileSync(file, 'utf8');
  for (const [, names = '', target = ''] of text.matchAll(/^import (?!type )([^;]*?)from '([^']+)';/gms)) {
    if (/^\{(\s*type \w+,?)+\s*\}\s*$/.test(names)) continue;
    if (!target.startsWith('.')) seen.add(target);
    else if (!seen.has(resolve(dirname(file), target))) {
      seen.add(resolve(dirname(file), target));
      loadedWith(resolve(dirname(file), target), seen);
    }
  }
  return seen;
}

it.each(['client/http-transport.ts', 'client/streams/pod-streams.ts', 'client/streams/port-forwarder.ts'])(
  '%s loads neither version of HTTP, nor what speaks WebSockets, before it is needed',
  (file) => {
    const loaded = loadedWith(resolve(sources, file));
    const late = ['node:http', 'node:https', 'node:http2', 'node:zlib', 'ws'];
    expect(late.filter((name) => loaded.has(name))).toEqual([]);
    expect(loaded.size).toBeGreaterThan(1);
  },
);

it('each version of HTTP is loaded without the other', () => {
  expect(loadedWith(resolve(sources, 'client/transport/http1-connections.ts')).has('node:http2')).toBe(false);
  expect(loadedWith(resolve(sources, 'client/transport/http2-connections.ts')).has('node:http')).toBe(false);
});
