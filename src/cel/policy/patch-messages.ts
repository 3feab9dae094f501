import type { Messages } from '../check/environment.ts';
import { type ObjectType, STRING, type Type, typeText } from '../types/type.ts';

const message = (name: string): ObjectType => ({ kind: 'object', name, fields: new Map() });

const JSON_PATCH = message('JSONPatch');
const TEXTS = new Set(['op', 'path', 'from']);

/**
 * What changes of objects are made of: `Object{spec: Object.spec{replicas: 1}}`, where each part is named after its place,
 * and `JSONPatch{op: 'add', path: '/a', value: 1}`.
 */
export class PatchMessages implements Messages {
  readonly #parts = new Map<string, ObjectType>();

  typeOf(name: string): ObjectType | undefined {
    if (name === JSON_PATCH.name) return JSON_PATCH;
    if (!isPart(name)) return undefined;
    const known = this.#parts.get(name) ?? message(name);
    this.#parts.set(name, known);
    return known;
  }

  fieldProblem({ name }: ObjectType, field: string, given: Type): string | undefined {
    if (name === JSON_PATCH.name) return patchProblem(field, given);
    const part = partIn(given);
    const wanted = `${name}.${field}`;
    return part === undefined || part === wanted
      ? undefined
      : `expected type of field '${field}' is '${wanted}' but provided type is '${part}'`;
  }
}

const isPart = (name: string): boolean => name === 'Object' || name.startsWith('Object.');

/** The name of the part that a value is, or that the items of a list or the entries of a map are. */
function partIn(type: Type): string | undefined {
  if (type.kind === 'list') return partIn(type.item);
  if (type.kind === 'map') return partIn(type.value);
  return type.kind === 'object' && isPart(type.name) ? type.name : undefined;
}

function patchProblem(field: string, given: Type): string | undefined {
  if (field === 'value') return undefined;
  if (!TEXTS.has(field)) return `undefined field '${field}'`;
  if (given.kind === STRING.kind || given.kind === 'dyn') return undefined;
  return `expected type of field '${field}' is 'string' but provided type is '${typeText(given)}'`;
}
