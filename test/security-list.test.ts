import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');

const attacks = [...read('docs/security.md').matchAll(/^\| (.+) \| `(.+?)`: (.+) \|$/gm)];

it('every attack of the list names a test that exists', () => {
  expect(attacks.length).toBeGreaterThan(40);
  const missing = attacks
    .filter(([, , file = '', title = '']) => !read(file).includes(title))
    .map(([, attack, file, title]) => `${attack}: ${file}: ${title}`);
  expect(missing).toEqual([]);
});
