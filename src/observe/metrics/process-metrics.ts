import { readdirSync, readFileSync } from 'node:fs';
import { cacheSizes } from '../../bounds/caches.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { NumberMetric } from './metrics.ts';
import type { Recorder } from './recorder.ts';

/** What the process uses of the machine, looked up only when somebody asks. */
export function collectProcess(recorder: Recorder, runtime: Runtime): void {
  const started = runtime.now() / 1000 - process.uptime();
  const readers: readonly (readonly [NumberMetric, () => number])[] = [
    ['process_cpu_seconds_total', cpuSeconds],
    ['process_resident_memory_bytes', () => process.memoryUsage.rss()],
    ['process_start_time_seconds', () => started],
    ['process_virtual_memory_bytes', virtualMemory],
    ['process_virtual_memory_max_bytes', () => limitOf('Max address space')],
    ['process_open_fds', () => readdirSync('/proc/self/fd').length],
    ['process_max_fds', () => limitOf('Max open files')],
    ['nodejs_heap_size_total_bytes', () => process.memoryUsage().heapTotal],
    ['nodejs_heap_size_used_bytes', () => process.memoryUsage().heapUsed],
    ['nodejs_external_memory_bytes', () => process.memoryUsage().external],
  ];
  for (const [name, read] of readers) recorder.collect(name, () => readingsOf(read));
  recorder.collect('apiserver_cache_bytes', () =>
    cacheSizes().map(({ name, bytes }) => ({ labels: [name], value: bytes })),
  );
  recorder.collect('apiserver_cache_entries', () =>
    cacheSizes().map(({ name, entries }) => ({ labels: [name], value: entries })),
  );
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** None where the machine does not tell: only some have these files. */
function readingsOf(read: () => number): { labels: string[]; value: number }[] {
  try {
    return [{ labels: [], value: read() }];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function virtualMemory(): number {
  const [, kibibytes = '0'] = /^VmSize:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}

/** The soft limit of that name; -1 where there is none. */
function limitOf(name: string): number {
  const line = readFileSync('/proc/self/limits', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(name));
  const [soft = ''] = line?.slice(name.length).trim().split(/\s+/) ?? [];
  return soft === 'unlimited' || soft === '' ? -1 : Number(soft);
}
