import { decodeFields, isWithin, NO_FIELDS } from '../../apply/fields-v1.ts';
import type { RecordedOwner } from '../../apply/owners.ts';
import type { ObjectVersion } from '../../kinds/explain/object-version.ts';
import type { Objects } from '../../registry/objects.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import { storedUid } from '../../registry/stored-ownership.ts';
import { sameJson } from '../../schema/same-json.ts';
import { formatTime } from '../../schema/time.ts';
import { HistoryGone } from '../../storage/backend.ts';
import type { Version } from '../../storage/log/version.ts';
import type { AttributionSource } from './attribution-source.ts';
import type { Attribution } from './attributions.ts';
import { isBeforeHistory, type PastState } from './past-states.ts';

/** Tells what a version is and who made it. */
export class VersionDescriptions {
  readonly #objects: Objects;
  readonly #attributions: AttributionSource;
  readonly #type: ResourceType;

  /** `type`: that of the object whose versions they are. */
  constructor(objects: Objects, attributions: AttributionSource, type: ResourceType) {
    this.#objects = objects;
    this.#type = type;
    this.#attributions = attributions;
  }

  of({ version, read }: Pick<PastState, 'version' | 'read'>): ObjectVersion {
    const { revision, time } = version;
    return {
      resourceVersion: String(revision),
      uid: storedUid(read.bytes),
      time: formatTime(time),
      event: this.#eventOf(version),
      ...this.#madeBy(version, read),
    };
  }

  #eventOf(version: Version): string {
    if (version.deleted) return 'Deleted';
    if (isBeforeHistory(this.#objects, this.#type, version)) return 'Unknown';
    return version.previous && !version.previous.deleted ? 'Updated' : 'Created';
  }

  #madeBy(version: Version, read: Version): ReturnType<typeof told> | Unattributed {
    const attribution = this.#attributions.of(version.revision);
    if (attribution) return told(attribution, version);
    const writer = version.deleted ? undefined : this.#recordedWriter(version, read);
    const { manager, operation, subresource } = writer ?? {};
    return {
      attribution: 'Unknown',
      ...(manager && { fieldManager: manager }),
      ...(operation && { operation }),
      ...(subresource && { subresource }),
    };
  }

  /** The one whose entry in the record of owners is another than before: who writes has a new one. */
  #recordedWriter({ previous }: Version, read: Version): RecordedOwner | undefined {
    const entries = this.#recordIn(read);
    const before = previous && !previous.deleted ? this.#recordIn(previous) : [];
    const changed = entries.filter((entry) => !before.some((old) => sameJson(old, entry) || onlyLost(old, entry)));
    const newest = changed
      .map(({ time = '' }) => time)
      .sort()
      .at(-1);
    const writers = changed.filter(({ time = '' }) => time === newest);
    // A first version with several entries does not say whose it is.
    return writers.length === 1 ? writers[0] : undefined;
  }

  #recordIn(version: Version): readonly RecordedOwner[] {
    try {
      return this.#objects.once(version).metadata.managedFields ?? [];
    } catch (error) {
      if (error instanceof HistoryGone) return [];
      throw error;
    }
  }
}

/** Whether this is the same owner, who lost something to another within the same second. */
const onlyLost = (old: RecordedOwner, entry: RecordedOwner): boolean =>
  old.time === entry.time &&
  old.manager === entry.manager &&
  old.operation === entry.operation &&
  old.apiVersion === entry.apiVersion &&
  old.subresource === entry.subresource &&
  isWithin(entry.fieldsV1 ?? NO_FIELDS, decodeFields(old.fieldsV1 ?? NO_FIELDS));

interface Unattributed {
  readonly attribution: string;
  readonly fieldManager?: string;
  readonly operation?: string;
  readonly subresource?: string;
}

function told({ user, verb, subresource, fieldManager, applied, auditId }: Attribution, { deleted }: Version) {
  return {
    attribution: 'Known',
    user,
    verb,
    subresource,
    auditID: auditId,
    // What is deleted has no fields any more.
    ...(!deleted && { fieldManager, operation: applied ? 'Apply' : 'Update' }),
  };
}
