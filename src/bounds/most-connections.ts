import { readFileSync } from 'node:fs';

/** What a connection takes at most over which nothing goes: TLS above all. */
const CONNECTION_BYTES = 40 << 10;
/** The part of the memory limit that connections may take together. */
const MEMORY_PART = 0.5;
/** Files that are left for the store, webhooks, logs and certificates. */
const OTHER_FILES = 512;

/** How many connections may be open at a time, by the memory there is and the number of files the process may open. */
export function mostConnections(memoryLimit: number, openFiles = mostOpenFiles()): number {
  const inMemory = Math.floor((memoryLimit * MEMORY_PART) / CONNECTION_BYTES);
  return Math.max(1, Math.min(inMemory, Math.max(openFiles - OTHER_FILES, Math.floor(openFiles / 2))));
}

/** Infinity where the system does not say. */
function mostOpenFiles(): number {
  try {
    const most = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return most === undefined ? Number.POSITIVE_INFINITY : Number(most);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
