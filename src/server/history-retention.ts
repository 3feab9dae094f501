import { qualifiedResource } from '../api/errors.ts';
import { everyType } from '../kinds/built-in.ts';
import { isStored } from '../registry/resource-type.ts';
import type { Settings } from '../settings/settings.ts';
import { durationText, parseDuration } from '../settings/units.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

const FLAG = '--history-retention-for';
/** Each of them is something that is looked after. */
const MOST = 64;

/**
 * Collections whose past is remembered for longer than that of others, in milliseconds. Names of groups that the server does
 * not have itself are those of custom kinds, which may come at any time. Throws an Error of one line.
 */
export function historyRetentionFor(
  { historyRetention, historyRetentionFor: entries }: Settings,
  vocabulary: Vocabulary,
): ReadonlyMap<string, number> {
  const retention = new Map<string, number>();
  if (entries.length === 0) return retention;
  if (entries.length > MOST) throw new Error(`${FLAG} names more than ${MOST} resources`);
  const collections = builtInCollections(vocabulary);
  for (const entry of entries) {
    const equals = entry.indexOf('=');
    const name = entry.slice(0, Math.max(0, equals));
    const time = parseDuration(entry.slice(equals + 1));
    if (name === '' || time === undefined) {
      throw new Error(`${FLAG}: "${entry}" is not RESOURCE=DURATION, such as configmaps=24h or deployments.apps=168h`);
    }
    if (time < historyRetention) {
      throw new Error(`${FLAG}: ${entry} is less than --history-retention, which is ${durationText(historyRetention)}`);
    }
    const collection = collections.get(name) ?? customCollection(name);
    if (retention.has(collection)) throw new Error(`${FLAG}: ${name} is there twice`);
    retention.set(collection, time);
  }
  return retention;
}

/** Built-in collections by the names of what is stored in them; several kinds may share one. */
const builtInCollections = (vocabulary: Vocabulary): ReadonlyMap<string, string> =>
  new Map(
    everyType(vocabulary)
      .filter(isStored)
      .map(({ plural, group, collection }) => [qualifiedResource({ group, resource: plural }), collection]),
  );

/** Objects of custom kinds are kept under the whole name, which has a dot in its group. */
function customCollection(name: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,62}(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?){2,}$/.test(name) && name.length < 317)
    return name;
  throw new Error(`${FLAG}: there is no resource "${name}"; resources of groups are named as in deployments.apps`);
}
