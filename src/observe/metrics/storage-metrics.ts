import { qualifiedResource } from '../../api/errors.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import { hubOf } from '../../registry/versions.ts';
import type { VersionLog } from '../../storage/log/version-log.ts';
import type { Recorder } from './recorder.ts';

/** Lets the recorder read how much the log holds, whenever somebody asks. */
export function collectStorage(recorder: Recorder, catalogue: Catalogue, log: VersionLog): void {
  recorder.collect('apiserver_storage_objects', () => objectCounts(catalogue, log));
  recorder.collect('apiserver_version_log_versions', () => [{ labels: [], value: log.stats.retained }]);
  recorder.collect('apiserver_version_log_history_bytes', () => [{ labels: [], value: log.stats.historyBytes }]);
  recorder.collect('apiserver_version_log_compactions_total', () => {
    const { age, size } = log.stats.compactions;
    return [{ labels: [], value: age + size }];
  });
  recorder.collect('apiserver_version_log_cap_reached_total', () => [
    { labels: [], value: log.stats.compactions.size },
  ]);
  if (log.room === undefined) return;
  recorder.collect('apiserver_storage_size_bytes', () => [{ labels: [], value: log.room?.total ?? 0 }]);
  recorder.collect('apiserver_storage_used_bytes', () => [{ labels: [], value: log.room?.used ?? 0 }]);
}

/** Versions of a kind share a collection, which is counted once, under the name it is stored by. */
function* objectCounts(catalogue: Catalogue, log: VersionLog) {
  const counted = new Set<string>();
  for (const type of catalogue.all()) {
    const { group, plural, collection, verbs } = hubOf(type);
    if (counted.has(collection) || !verbs.includes('watch')) continue;
    counted.add(collection);
    yield { labels: [qualifiedResource({ group, resource: plural })], value: log.count(collection) };
  }
}
