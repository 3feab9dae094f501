import type { AnyObject } from '../../../../client/plane-client.ts';
import { isObject, type JsonObject } from '../../../../schema/json-object.ts';
import { CommandError } from '../../frame/failure.ts';

/** A container, as far as commands change it. */
export interface Container extends JsonObject {
  name: string;
}

/** What a pod, or a template of pods, is to be. */
export interface PodSpec extends JsonObject {
  containers: Container[];
  initContainers?: Container[];
}

/** Where the pods of a kind are described: nowhere else than below `spec`. */
const PATHS: readonly (readonly string[])[] = [
  ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  ['spec', 'template', 'spec'],
  ['template', 'spec'],
];

function pathIn(object: AnyObject): readonly string[] | undefined {
  if (object.kind === 'Pod') return ['spec'];
  return PATHS.find((path) => {
    let value: unknown = object;
    for (const name of path) value = isObject(value) ? value[name] : undefined;
    return isObject(value) && Array.isArray(value.containers);
  });
}

/** The object with other pods. Refuses what has none; `name` is how messages call it. */
export function withPodSpec(object: AnyObject, name: string, change: (spec: PodSpec) => PodSpec): AnyObject {
  const path = pathIn(object);
  if (!path) {
    const version = object.apiVersion.slice(object.apiVersion.indexOf('/') + 1);
    throw new CommandError(
      `${name} the object is not a pod or does not have a pod template: *${version}.${object.kind}`,
    );
  }
  return changedAt(object as unknown as JsonObject, path, change) as unknown as AnyObject;
}

function changedAt(value: JsonObject, path: readonly string[], change: (spec: PodSpec) => PodSpec): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return change(value as PodSpec);
  return { ...value, [name]: changedAt(value[name] as JsonObject, rest, change) };
}

/** `*` is all of them; other patterns may have it at their end. */
export function containerMatcher(pattern: string): (container: Container) => boolean {
  if (!pattern.includes('*')) return ({ name }) => name === pattern;
  const parts = pattern.split('*');
  return ({ name }) => {
    let at = 0;
    for (const [index, part] of parts.entries()) {
      const found = index === 0 ? (name.startsWith(part) ? 0 : -1) : name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return parts.at(-1) === '' || name.endsWith(parts.at(-1) ?? '');
  };
}
