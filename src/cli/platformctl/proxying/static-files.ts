import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.htm': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.txt': 'text/plain; charset=utf-8',
};

/** Answers with a file of a folder, or says that there is none. Links that lead out of the folder lead nowhere. */
export async function serveFile(folder: string, path: string, response: ServerResponse): Promise<void> {
  const file = await fileAt(folder, path).catch(() => undefined);
  if (!file) {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('404 page not found\n');
    return;
  }
  response.writeHead(200, {
    'content-type': MEDIA_TYPES[extname(file.path)] ?? 'application/octet-stream',
    'content-length': file.size,
  });
  await pipeline(createReadStream(file.path, { end: Math.max(0, file.size - 1) }), response);
}

async function fileAt(folder: string, path: string): Promise<{ path: string; size: number } | undefined> {
  const root = await realpath(folder);
  const found = await realpath(join(root, decodeURIComponent(path)));
  if (found !== root && !found.startsWith(`${root}${sep}`)) return undefined;
  const stats = await stat(found);
  if (!stats.isDirectory()) return stats.isFile() ? { path: found, size: stats.size } : undefined;
  const index = join(found, 'index.html');
  const { size } = await stat(index);
  return { path: index, size };
}
