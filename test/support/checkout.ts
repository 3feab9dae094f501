import { copyFile, cp, link, mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A copy of what one needs to install, build and start, in the cache of this checkout. Dependencies are links to the same
 * files, so that nothing is downloaded.
 */
export async function copyCheckout(): Promise<string> {
  await mkdir(join(root, '.cache'), { recursive: true });
  const directory = await mkdtemp(join(root, '.cache', 'checkout-'));
  for (const entry of await readdir(root, { withFileTypes: true })) {
    if (entry.isFile()) await copyFile(join(root, entry.name), join(directory, entry.name));
  }
  for (const sources of ['src', 'console'])
    await cp(join(root, sources), join(directory, sources), { recursive: true });
  await mkdir(join(directory, 'node_modules'));
  for (const entry of await readdir(join(root, 'node_modules'), { withFileTypes: true })) {
    const [from, to] = [root, directory].map((place) => join(place, 'node_modules', entry.name)) as [string, string];
    // What is written there by tools is theirs, not a dependency.
    if (entry.isFile()) await copyFile(from, to);
    else if (entry.name === '.bin' || !entry.name.startsWith('.')) await linkTree(from, to);
  }
  return directory;
}

async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkTree(source, target);
    else if (entry.isSymbolicLink()) await cp(source, target, { verbatimSymlinks: true });
    else await link(source, target);
  }
}
