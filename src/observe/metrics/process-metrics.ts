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
    ['nodejs_heap_size_total_bytes', () => process.memoryUsage().heapTotal],
    ['nodejs_heap_size_used_bytes', () => process.memoryUsage().heapUsed],
    ['nodejs_external_memory_bytes', () => process.memoryUsage().external],
  ];
  for (const [name, read] of readers) recorder.collect(name, () => [{ labels: [], value: read() }]);
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
