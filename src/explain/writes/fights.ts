import { findChangedValues } from '../../apply/changed-values.ts';
import { sharingOf } from '../../apply/derive-sharing.ts';
import { type FieldSet, fieldSetOf, placeText } from '../../apply/field-set.ts';
import type { Sharing } from '../../apply/sharing.ts';
import type { FoughtField } from '../../kinds/explain/write-activity.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { Objects } from '../../registry/objects.ts';
import { type Rest, restEveryTurn } from '../../runtime/pacing.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { AttributionSource } from '../history/attribution-source.ts';
import { statesBefore } from '../history/past-states.ts';
import type { ObjectDetail } from './write-activity.ts';

/** So many versions of an object are read, and so many fields of it followed. */
const MOST_VERSIONS = 20;
const MOST_FIELDS = 200;
/** Back and forth, and back again. */
const LEAST_TURNS = 3;

const BOOKKEEPING: FieldSet = fieldSetOf('metadata.managedFields', 'metadata.resourceVersion', 'metadata.generation');

export interface FightSources {
  readonly objects: Objects;
  readonly catalogue: Catalogue;
  readonly attributions: AttributionSource;
  readonly runtime: Runtime;
}

type ObjectName = Pick<ObjectDetail, 'group' | 'resource' | 'namespace' | 'name'>;

/** The fields of an object that several managers change in turn, as far as its history is remembered. */
export async function fightsOver(sources: FightSources, named: ObjectName): Promise<readonly FoughtField[]> {
  const { group, resource, namespace, name } = named;
  const type = sources.catalogue.preferred(group, resource);
  if (!type) return [];
  const newest = sources.objects.newest(type, namespace, name);
  const rest: Rest = restEveryTurn(sources.runtime);
  const turns = new Map<string, Turns>();
  let read = 0;
  let later: { readonly object: unknown; readonly manager: string } | undefined;
  for await (const { version, object } of statesBefore(sources.objects, { type, namespace, name }, newest, rest)) {
    if (later && !version.deleted) await noteTurns(turns, sharingOf(type.schema), object, later, rest);
    const manager = sources.attributions.of(version.revision)?.fieldManager ?? '';
    later = version.deleted ? undefined : { object, manager };
    if (++read === MOST_VERSIONS) break;
  }
  return [...turns]
    .filter(([, { count }]) => count >= LEAST_TURNS)
    .map(([path, { managers, count }]) => ({
      ...{ group, resource, namespace, name, path },
      managers: [...managers].toSorted(),
      changes: count,
    }));
}

interface Turns {
  readonly managers: Set<string>;
  last: string;
  /** How often the one who changed it was another than the one who did so next. */
  count: number;
}

/** Versions come newest first: what changed between one and the next is the doing of the next. */
async function noteTurns(
  turns: Map<string, Turns>,
  sharing: Sharing,
  before: unknown,
  { object, manager }: { readonly object: unknown; readonly manager: string },
  rest: Rest,
): Promise<void> {
  if (manager === '') return;
  await findChangedValues([sharing, before, object, BOOKKEEPING], rest, ({ path }) => {
    const text = placeText(path);
    const known = turns.get(text);
    if (!known) {
      if (turns.size < MOST_FIELDS) turns.set(text, { managers: new Set([manager]), last: manager, count: 0 });
      return;
    }
    if (known.last !== manager) known.count++;
    known.last = manager;
    known.managers.add(manager);
  });
}
