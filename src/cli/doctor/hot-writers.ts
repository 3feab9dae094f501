import type { AnyObject, PlaneClient } from '../../client/plane-client.ts';
import type { ServedKind } from '../../client/served-kind.ts';
import { type Finding, ok, warning } from './finding.ts';

/** A loop that has settled writes nothing; leases are renewed, and events are written, all the time. */
const MOST_WRITES_A_SECOND = 5;
const EXPECTED: ReadonlySet<string> = new Set(['leases', 'events', 'tokenreviews', 'subjectaccessreviews']);
/** Kinds that are looked into, the busiest first, and objects of each. */
const MOST_KINDS = 3;
const MOST_OBJECTS = 500;

const ADVICE = 'see what this writer does at every turn: a controller that has settled writes nothing';

/** Who writes all the time, from how often each resource (`plural.group`) was written in so many seconds. */
export async function hotWriterFindings(
  writes: ReadonlyMap<string, number>,
  seconds: number,
  kinds: readonly ServedKind[],
  client: PlaneClient,
): Promise<readonly Finding[]> {
  const rates = [...writes].map(([resource, count]) => ({ resource, rate: count / seconds }));
  const hot = rates
    .filter(({ resource, rate }) => rate > MOST_WRITES_A_SECOND && !EXPECTED.has(resource.split('.', 1)[0] ?? ''))
    .sort((a, b) => b.rate - a.rate)
    .slice(0, MOST_KINDS);
  if (hot.length === 0) return [ok('writers', `nobody wrote more than ${MOST_WRITES_A_SECOND} times a second`)];
  return Promise.all(
    hot.map(async ({ resource, rate }) => {
      const kind = kinds.find((one) => nameOf(one) === resource && one.verbs.includes('list'));
      const writer = kind ? await latestWriter(client, kind) : '';
      return warning('writers', `${resource} are written ${rate.toFixed(1)} times a second${writer}`, ADVICE);
    }),
  );
}

const nameOf = ({ plural, group }: ServedKind): string => (group === '' ? plural : `${plural}.${group}`);

/** Only told apart: which of two objects of one plane was written later. */
const revisionOf = ({ resourceVersion }: AnyObject['metadata']): number => Number(resourceVersion) || 0;

/** The owner of the fields that were written last, and the object they are in. */
async function latestWriter(client: PlaneClient, kind: ServedKind): Promise<string> {
  const { items } = await client.list<AnyObject>(kind, '', { limit: MOST_OBJECTS, metadataOnly: true });
  const [latest] = items.map(({ metadata }) => metadata).sort((a, b) => revisionOf(b) - revisionOf(a));
  if (!latest) return '';
  const { namespace, name, managedFields = [] } = latest;
  const [entry] = [...managedFields].sort((a, b) => (String(a.time) < String(b.time) ? 1 : -1));
  return `, lately ${namespace ? `${namespace}/` : ''}${name}${entry ? ` by "${entry.manager}"` : ''}`;
}
