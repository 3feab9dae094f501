import type { VirtualResource } from '../../handlers/actions/virtual-resource.ts';
import { type FoughtField, type HotObject, type HotWriter, WriteActivity } from '../../kinds/explain/write-activity.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { type FightSources, fightsOver } from './fights.ts';
import type { Counter } from './space-saving.ts';
import type { ObjectDetail, WriteActivityLog, WriterDetail } from './write-activity.ts';

const MOST_SHOWN = 20;
/** Fights are looked for in the history of the objects that change hands most. */
const MOST_EXAMINED = 5;
const NAME = 'recent';

/** What is known of those who write, looked up for whoever asks. */
export const writeActivityResource = (
  log: WriteActivityLog,
  sources: FightSources,
  group: string,
): VirtualResource<WriteActivity> => ({
  group,
  plural: 'writeactivities',
  objects: async () => [await activityOf(log, sources, group)],
});

async function activityOf(log: WriteActivityLog, sources: FightSources, group: string): Promise<WriteActivity> {
  const { periods } = log;
  const objects = together(periods.map((period) => period.objects.top())).map(hotObject);
  const since = new Date(periods[0]?.since ?? 0).toISOString().replace(/\.\d+Z$/, 'Z');
  const status = {
    since,
    writes: sumOf(periods.map((period) => period.writers.total)),
    noOps: sumOf(periods.map((period) => period.noOps)),
    writers: together(periods.map((period) => period.writers.top()))
      .map(hotWriter)
      .slice(0, MOST_SHOWN),
    objects: objects.slice(0, MOST_SHOWN),
    fights: await fightsAmong(objects, sources),
  };
  const activity = { kind: 'WriteActivity', apiVersion: `${group}/v1alpha1`, metadata: { name: NAME }, status };
  return canonicalise(WriteActivity, activity).value;
}

async function fightsAmong(objects: readonly HotObject[], sources: FightSources): Promise<FoughtField[]> {
  const contested = objects
    .filter(({ alternations }) => alternations > 1)
    .toSorted((a, b) => b.alternations - a.alternations);
  const fights: FoughtField[] = [];
  for (const object of contested.slice(0, MOST_EXAMINED)) fights.push(...(await fightsOver(sources, object)));
  return fights.toSorted((a, b) => b.changes - a.changes).slice(0, MOST_SHOWN);
}

type Details = Pick<WriterDetail, 'noOps'> & { readonly alternations?: number };
type Total<D> = Pick<Counter<D>, 'count' | 'error' | 'detail'>;

/** The counts of several periods, by key; the most frequent first. */
function together<D extends Details>(tops: readonly (readonly Counter<D>[])[]): readonly Total<D>[] {
  const totals = new Map<string, Total<D>>();
  for (const { key, count, error, detail } of tops.flat()) {
    const known = totals.get(key);
    totals.set(key, known ? sumWith(known, { count, error, detail }) : { count, error, detail });
  }
  return [...totals.values()].toSorted((a, b) => b.count - a.count);
}

const sumWith = <D extends Details>(one: Total<D>, other: Total<D>): Total<D> => ({
  count: one.count + other.count,
  error: one.error + other.error,
  detail: {
    ...other.detail,
    noOps: one.detail.noOps + other.detail.noOps,
    ...(other.detail.alternations === undefined
      ? {}
      : { alternations: other.detail.alternations + (one.detail.alternations ?? 0) }),
  },
});

const hotWriter = ({ count, error, detail }: Total<WriterDetail>): HotWriter => ({
  ...detail,
  writes: count,
  overcounted: error,
});

const hotObject = ({ count, error, detail }: Total<ObjectDetail>): HotObject => {
  const { lastManager: _lastManager, ...named } = detail;
  return { ...named, writes: count, overcounted: error };
};

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
