import {
  type AnyObject,
  type Client,
  Event,
  type KindReference,
  NotYet,
  type ObjectsClient,
} from '../../client/index.ts';
import { isRefusal } from '../../client/plane-client.ts';
import { fieldAt } from './matching.ts';
import type { Stage, StageCondition, StageEvent, StageOutcome } from './stage.ts';

/** The objects of a kind in a namespace, or those that are in none with ''. */
export function objectsIn(client: Client, kind: Stage['kind'], namespace: string): ObjectsClient<AnyObject> {
  const all = client.of<AnyObject>(kind as KindReference);
  return namespace === '' ? all : all.inNamespace(namespace);
}

/** Makes an outcome true of an object. Returns the object as it is then; undefined where it is gone. */
export async function bringAbout(
  outcome: StageOutcome,
  object: AnyObject,
  { client, kind, now }: { readonly client: Client; readonly kind: Stage['kind']; readonly now: number },
): Promise<AnyObject | undefined> {
  const { name = '', namespace = '', uid = '' } = object.metadata;
  const objects = objectsIn(client, kind, namespace);
  const told = filledIn(outcome, object, new Date(now).toISOString().replace(/\.\d+Z$/, 'Z'));
  try {
    let current = object;
    const patch = objectPatch(told, object);
    if (patch) current = await objects.patch(name, { merge: patch });
    const status = statusPatch(told, current, now);
    if (status) current = await patchStatus(objects, name, status);
    if (told.event) await report(client, object, told.event, now);
    if (told.delete) await objects.delete(name, { gracePeriodSeconds: 0, preconditions: { uid } });
    return current;
  } catch (error) {
    if (isRefusal(error, 'NotFound')) return undefined;
    if (isRefusal(error, 'Conflict')) throw new NotYet();
    throw error;
  }
}

/** Lists are replaced by merge patches: only of the version that was looked at. */
function objectPatch({ patch, finalizers }: StageOutcome, { metadata }: AnyObject): object | undefined {
  if (!finalizers) return patch;
  const { add = [], remove = [] } = finalizers;
  const kept = (metadata.finalizers ?? []).filter((one) => !remove.includes(one));
  const changed = fieldAt(patch, 'metadata') as object | undefined;
  const { resourceVersion } = metadata;
  return { ...patch, metadata: { ...changed, resourceVersion, finalizers: [...new Set([...kept, ...add])] } };
}

function statusPatch({ status, conditions }: StageOutcome, object: AnyObject, now: number): object | undefined {
  if (!conditions) return status && { status };
  return { status: { ...status, conditions: withConditions(object, conditions, now) } };
}

/** The conditions of an object with some of them as they are now. */
export function withConditions(object: AnyObject, wanted: readonly StageCondition[], now: number): readonly object[] {
  const held = fieldAt(object, 'status.conditions');
  const before = (Array.isArray(held) ? held : []) as readonly (StageCondition & { lastTransitionTime?: string })[];
  const changed = wanted.map((condition) => {
    const former = before.find(({ type }) => type === condition.type);
    const isSame = former?.status === condition.status && former.lastTransitionTime;
    return { ...condition, lastTransitionTime: isSame || new Date(now).toISOString().replace(/\.\d+Z$/, 'Z') };
  });
  return [...before.filter(({ type }) => wanted.every((one) => one.type !== type)), ...changed];
}

/** Custom kinds need not have a status of their own. */
async function patchStatus(objects: ObjectsClient<AnyObject>, name: string, patch: object): Promise<AnyObject> {
  try {
    return await objects.status.patch(name, { merge: patch });
  } catch (error) {
    if (!isRefusal(error, 'NotFound')) throw error;
    return objects.patch(name, { merge: patch });
  }
}

async function report(client: Client, object: AnyObject, event: StageEvent, now: number): Promise<void> {
  const { kind, apiVersion, metadata } = object;
  const { name, uid, resourceVersion } = metadata;
  const namespace = metadata.namespace || 'default';
  const time = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  await client
    .of(Event)
    .inNamespace(namespace)
    .create({
      metadata: { generateName: `${name?.slice(0, 200)}.` },
      involvedObject: { kind, apiVersion, name, namespace: metadata.namespace, uid, resourceVersion },
      type: event.type ?? 'Normal',
      reason: event.reason,
      message: event.message ?? '',
      source: { component: 'stages' },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    });
}

const PLACEHOLDER = /\$\((now|name|namespace|uid)\)/g;

/** The outcome with what placeholders stand for. */
function filledIn(outcome: StageOutcome, { metadata }: AnyObject, now: string): StageOutcome {
  const { name = '', namespace = '', uid = '' } = metadata;
  const values: Readonly<Record<string, string>> = { now, name, namespace, uid };
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(PLACEHOLDER, (_all, word: string) => values[word] ?? '');
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([field, held]) => [field, fill(held)]));
  };
  return fill(outcome) as StageOutcome;
}
