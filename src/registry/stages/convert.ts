import type { Version } from '../../storage/log/version.ts';
import { parseObject } from '../encoding.ts';
import type { LiveObject } from '../live-objects.ts';
import type { ApiObject, ResourceType } from '../resource-type.ts';
import type { Write, WriteOptions, WriteParts, Written } from '../write.ts';

/**
 * Kinds that keep objects in several versions judge a write in the version that the writer speaks, and convert what comes
 * of it into the one that is stored. Writes of other kinds go past all of this.
 */

/** What is stored, in the version that a writer speaks. It has the key and revision of what is stored. */
export function liveIn(
  parts: WriteParts,
  type: ResourceType,
  current: Version,
  { deadline }: WriteOptions,
): LiveObject | Promise<LiveObject> {
  const preparing = parts.kindOf(type)?.prepare([current], type);
  if (!preparing) return parts.live.ofLater(current);
  const waiting = deadline ? deadline.within(preparing) : preparing;
  return waiting.then(([prepared = current]) => parts.live.of(prepared));
}

/** The last stage: from here on only the store can refuse. */
export function convertToStored(write: Write): Promise<void> | undefined {
  const { converting, type, object, options } = write;
  if (!converting || converting.storage === type) return undefined;
  const converted = converting.convert(object, type, converting.storage);
  const take = (stored: ApiObject): void => {
    write.stored = stored;
  };
  if (converted instanceof Promise) return (options.deadline?.within(converted) ?? converted).then(take);
  take(converted);
  return undefined;
}

/** What was stored, as the writer sees it. */
export async function shownTo({ parts, type, converting }: Write, version: Version): Promise<Written> {
  const [shown = version] = (await converting?.prepare([version], type)) ?? [version];
  return { object: parts.live.of(shown).object, bytes: shown.bytes, version: shown };
}

/** Whether storing the object once more would change nothing: it is in the version and form that is stored now. */
export function isStoredAsNow({ parts, converting }: Write, { version }: LiveObject): boolean {
  if (!converting) return true;
  const stored = parts.log.get(version.key);
  return stored !== undefined && converting.prepare([stored], converting.storage) === undefined;
}

/** The object as it is stored, in whatever version that is. */
export function storedIn({ parts, converting }: Write, { version, object }: LiveObject): ApiObject {
  const stored = converting && parts.log.get(version.key);
  return stored && stored.serial !== version.serial ? parseObject(stored.bytes) : object;
}
