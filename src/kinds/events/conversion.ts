import type { ApiObject } from '../../registry/resource-type.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { Event as CoreEvent } from '../core/event/event.ts';
import { Event } from './event.ts';

/** Fields that the two groups call by different names: the core group's, then the newer one. All others are the same. */
const NAMES = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
] as const;

const TO_NEWER: ReadonlyMap<string, string> = new Map(NAMES);
const TO_CORE: ReadonlyMap<string, string> = new Map(NAMES.map(([core, newer]) => [newer, core]));

const renamed = (event: ApiObject, names: ReadonlyMap<string, string>): object =>
  Object.fromEntries(Object.entries(event).map(([name, value]) => [names.get(name) ?? name, value]));

/** An event of the core group as the newer group shows it. */
export const eventFromCore = (event: ApiObject): Event => canonicalise(Event, renamed(event, TO_NEWER)).value;

/** An event of the newer group as it is stored. */
export const eventToCore = (event: Event): CoreEvent => canonicalise(CoreEvent, renamed(event, TO_CORE)).value;
