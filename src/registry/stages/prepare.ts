import type { Runtime } from '../../runtime/runtime.ts';
import { formatTime } from '../../schema/time.ts';
import { dropGatedFields } from '../gated-fields.ts';
import { clearFields, restoreFields } from '../resets.ts';
import type { ApiObject, ResourceType, WriteRules } from '../resource-type.ts';
import type { Write } from '../write.ts';

/** Letters that cannot spell words. */
const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const LONGEST_PREFIX = 63 - SUFFIX_LENGTH;

/** Fields the server owns, whatever was sent; then what the kind itself prepares. */
export function prepare(write: Write): void {
  if (write.live) prepareUpdate(write, write.live.object);
  else prepareCreate(write);
}

/** What nobody can give a new object. To take away what is not there takes time, too. */
const OF_THE_SERVER = ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'] as const;

function prepareCreate({ parts, type, draft, options }: Write): void {
  const { metadata } = draft;
  for (const name of OF_THE_SERVER) if (metadata[name] !== undefined) delete metadata[name];
  metadata.uid = parts.runtime.uuid();
  metadata.creationTimestamp = formatTime(parts.runtime.now());
  if (type.strategy.generation) metadata.generation = 1;
  clearFields(draft, type.createResets ?? type.rules.resets);
  if (!metadata.name && metadata.generateName) metadata.name = generateName(metadata.generateName, parts.runtime);
  type.complete?.(draft, parts);
  dropGatedFields(type, draft, undefined, parts.features);
  type.prepareCreate?.(draft, parts, options.user);
}

export function generateName(prefix: string, runtime: Runtime): string {
  let name = prefix.slice(0, LONGEST_PREFIX);
  for (let at = 0; at < SUFFIX_LENGTH; at++) {
    name += SUFFIX_LETTERS.charAt(Math.floor(runtime.random() * SUFFIX_LETTERS.length));
  }
  return name;
}

function prepareUpdate({ parts, ref, type, draft }: Write, live: ApiObject): void {
  const { metadata } = draft;
  const rules = rulesOf(type, ref.subresource);
  const { uid, generation, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds: grace } = live.metadata;
  if (!metadata.uid && uid !== undefined) metadata.uid = uid;
  if (generation !== undefined) metadata.generation = generation;
  else if (metadata.generation !== undefined) delete metadata.generation;
  metadata.creationTimestamp = creationTimestamp;
  if (metadata.selfLink !== undefined) delete metadata.selfLink;
  if (deletionTimestamp !== undefined) metadata.deletionTimestamp ??= deletionTimestamp;
  if (grace !== undefined) metadata.deletionGracePeriodSeconds ??= grace;
  restoreFields(draft, live, rules.resets);
  type.complete?.(draft, parts);
  dropGatedFields(type, draft, live, parts.features);
  rules.prepareUpdate?.(draft, live, parts);
}

/** The rules of the endpoint that a write goes through. */
export const rulesOf = (type: ResourceType, subresource: string): WriteRules<ApiObject> =>
  subresource === '' ? type.rules : (type.subresources[subresource]?.rules ?? {});
