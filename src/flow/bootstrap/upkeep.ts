import { SERVER_USER } from '../../api/user.ts';
import type { FlowSchema } from '../../kinds/flowcontrol/v1beta2/flow-schema.ts';
import type { PriorityLevelConfiguration } from '../../kinds/flowcontrol/v1beta2/priority-level-configuration.ts';
import type { ObjectMeta } from '../../meta/object-meta.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { Objects } from '../../registry/objects.ts';
import type { Registry } from '../../registry/registry.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import { hubOf } from '../../registry/versions.ts';
import { sameValue } from '../../schema/same-value.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { FlowObjects } from './declare.ts';
import { mandatoryObjects } from './mandatory.ts';
import { suggestedObjects } from './suggested.ts';

export type FlowObject = FlowSchema | PriorityLevelConfiguration;

/** An object that the server wants to be there, `exactly` or unless an operator has taken it over. */
export interface Wanted {
  readonly plural: string;
  readonly exactly: boolean;
  readonly object: FlowObject;
}

export const SCHEMAS = 'flowschemas';
export const LEVELS = 'prioritylevelconfigurations';

const OPTIONS = { user: SERVER_USER, fieldManager: 'api-priority-and-fairness-config-producer-v1' };

export function wantedObjects(v: Vocabulary): Wanted[] {
  const of = ({ levels, schemas }: FlowObjects, exactly: boolean): Wanted[] => [
    ...levels.map((object) => ({ plural: LEVELS, exactly, object })),
    ...schemas.map((object) => ({ plural: SCHEMAS, exactly, object })),
  ];
  return [...of(mandatoryObjects(v), true), ...of(suggestedObjects(v), false)];
}

/**
 * The object as it should be, undefined when it is so already. The annotation says whether the server keeps the spec; it
 * is written down for objects that lack it, and says no for those that were changed before it could be asked.
 */
export function mended(current: FlowObject, { object, exactly }: Wanted, v: Vocabulary): object | undefined {
  const key = v.annotations.flowAutoupdateSpec;
  const isKept = exactly || keepsSpec(current.metadata, key);
  const marked = current.metadata.annotations?.[key] === String(isKept);
  const differs = isKept && !sameValue(current.spec, object.spec);
  if (marked && !differs) return undefined;
  const annotations = { ...current.metadata.annotations, [key]: String(isKept) };
  const metadata = { ...current.metadata, annotations };
  return differs ? { ...current, metadata, spec: object.spec } : { ...current, metadata };
}

function keepsSpec({ annotations, generation }: ObjectMeta, key: string): boolean {
  const said = annotations?.[key];
  return said === 'true' || (said !== 'false' && generation === 1);
}

/** Where flow objects are looked at and written. */
export interface UpkeepParts {
  readonly objects: Objects;
  readonly registry: Registry;
  readonly catalogue: Catalogue;
  readonly vocabulary: Vocabulary;
}

/** Creates the object, or mends it, if either is needed. */
export async function ensure(parts: UpkeepParts, wanted: Wanted): Promise<void> {
  const { objects, registry, catalogue, vocabulary } = parts;
  const type = flowType(catalogue, vocabulary, wanted.plural);
  const name = wanted.object.metadata.name ?? '';
  const stored = objects.get<FlowObject>(type, '', name);
  if (!stored) {
    await registry.create(type, '', wanted.object, OPTIONS);
  } else if (mended(stored, wanted, vocabulary)) {
    const change = (current: unknown): unknown =>
      current && (mended(current as FlowObject, wanted, vocabulary) ?? current);
    await registry.update({ type, namespace: '', name, subresource: '' }, change, OPTIONS);
  }
}

/** Brings the stored objects up to what is wanted. */
export async function ensureFlowObjects(parts: UpkeepParts): Promise<void> {
  await Promise.all(wantedObjects(parts.vocabulary).map((wanted) => ensure(parts, wanted)));
}

/** The stored version of one of the two kinds. */
export function flowType(catalogue: Catalogue, { groups }: Vocabulary, plural: string): ResourceType {
  const type = catalogue.preferred(groups.flowcontrol, plural);
  if (!type) throw new Error(`the server cannot work without ${plural}`);
  return hubOf(type);
}
