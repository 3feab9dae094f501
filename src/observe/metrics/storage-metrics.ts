import { qualifiedResource } from '../../api/errors.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import { hubOf } from '../../registry/versions.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Write } from '../../storage/backend.ts';
import type { VersionLog } from '../../storage/log/version-log.ts';
import type { Histogram } from './distributions.ts';
import type { Recorder } from './recorder.ts';

/** What stands in place of an address: the store is a part of this process. */
const EMBEDDED = 'embedded';

/** Lets the recorder read how much the log holds, whenever somebody asks. */
export function collectStorage(recorder: Recorder, catalogue: Catalogue, log: VersionLog): void {
  recorder.collect('apiserver_storage_objects', () => ofEach(catalogue, (collection) => log.count(collection)));
  recorder.collect('apiserver_watch_cache_events_dispatched_total', () =>
    ofEach(catalogue, (collection) => log.delivered(collection)),
  );
  recorder.collect('apiserver_watch_cache_initializations_total', () => ofEach(catalogue, () => log.reads));
  recorder.collect('apiserver_version_log_versions', () => [{ labels: [], value: log.stats.retained }]);
  recorder.collect('apiserver_version_log_history_bytes', () => [{ labels: [], value: log.stats.historyBytes }]);
  recorder.collect('apiserver_version_log_compactions_total', () => {
    const { age, size, room } = log.stats.compactions;
    return [{ labels: [], value: age + size + room }];
  });
  recorder.collect('apiserver_version_log_cap_reached_total', () => {
    const { size, room } = log.stats.compactions;
    return [{ labels: [], value: size + room }];
  });
  recorder.collect('apiserver_version_log_kept_versions', () => {
    const { kept } = log.stats;
    return ofEach(catalogue, (collection) => kept.get(collection));
  });
  if (log.room === undefined) return;
  recorder.collect('apiserver_storage_size_bytes', () => [{ labels: [], value: log.room?.total ?? 0 }]);
  recorder.collect('etcd_db_total_size_in_bytes', () => [{ labels: [EMBEDDED], value: log.room?.total ?? 0 }]);
  recorder.collect('apiserver_storage_used_bytes', () => [{ labels: [], value: log.room?.used ?? 0 }]);
}

/** Versions of a kind share a collection, which is counted once, under the name it is stored by, if there is anything to count. */
function* ofEach(catalogue: Catalogue, figure: (collection: string) => number | undefined) {
  const counted = new Set<string>();
  for (const type of catalogue.all()) {
    const { group, plural, collection, verbs } = hubOf(type);
    if (counted.has(collection) || !verbs.includes('watch')) continue;
    counted.add(collection);
    const value = figure(collection);
    if (value !== undefined) yield { labels: [qualifiedResource({ group, resource: plural })], value };
  }
}

type Operation = 'create' | 'update' | 'delete';

/** Counts how long the store takes for writes, by what they do and which collection they are in. */
export class CommitMetrics {
  readonly #recorder: Recorder;
  readonly #byCollection = new Map<string, Record<Operation, Histogram>>();

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  committed({ key, expected, delete: isDeletion }: Write, milliseconds: number): void {
    const operation = isDeletion ? 'delete' : expected === 0 ? 'create' : 'update';
    const collection = key.slice(1, key.indexOf('/', 1));
    const histograms = this.#byCollection.get(collection) ?? this.#histogramsOf(collection);
    histograms[operation].observe(milliseconds / 1000);
  }

  #histogramsOf(collection: string): Record<Operation, Histogram> {
    const of = (operation: Operation): Histogram =>
      this.#recorder.histogram('etcd_request_duration_seconds', [operation, collection]);
    const histograms = { create: of('create'), update: of('update'), delete: of('delete') };
    this.#byCollection.set(collection, histograms);
    return histograms;
  }
}

/** Times what is done with an object on its way to the store or back. What it throws is counted, and thrown on. */
export function transformationMeter(recorder: Recorder, runtime: Runtime) {
  return <T>(direction: 'to_storage' | 'from_storage', prefix: string, transform: () => T): T => {
    const began = runtime.monotonic();
    const ended = (status: string): void => {
      const seconds = (runtime.monotonic() - began) / 1000;
      recorder.histogram('apiserver_storage_transformation_duration_seconds', [direction]).observe(seconds);
      recorder.number('apiserver_storage_transformation_operations_total', [direction, prefix, status]).value++;
    };
    try {
      const transformed = transform();
      ended('OK');
      return transformed;
    } catch (error) {
      ended('Internal');
      throw error;
    }
  };
}
