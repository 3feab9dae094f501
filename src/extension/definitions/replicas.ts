import { internalBecause } from '../../api/errors.ts';
import type { CustomResourceSubresourceScale } from '../../kinds/apiextensions/custom-resource-definition.ts';
import { scaleThrough } from '../../kinds/autoscaling/v1/scale-projection.ts';
import type { ApiObject, Subresource } from '../../registry/resource-type.ts';
import { isObject } from '../../schema/json-object.ts';
import type { Problems } from '../../schema/problems.ts';
import { namesIn, valueAt } from './value-at.ts';

type JsonObject = { readonly [name: string]: unknown };

/** The object with another value at a place; everything else is the very same. */
function withValueAt(object: JsonObject, [name = '', ...rest]: readonly string[], value: unknown): JsonObject {
  const inner = Object.hasOwn(object, name) ? object[name] : undefined;
  const next = rest.length === 0 ? value : withValueAt(isObject(inner) ? inner : {}, rest, value);
  return { ...object, [name]: next };
}

/** The scale of a custom kind, read and written where its definition says. */
export function customScale(definition: CustomResourceSubresourceScale): Subresource<ApiObject> {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = definition;
  const [spec, status, selector] = [specReplicasPath, statusReplicasPath, labelSelectorPath].map(namesIn);
  return scaleThrough<ApiObject>({
    wanted(object) {
      const replicas = valueAt(object, spec ?? []);
      if (typeof replicas === 'number') return replicas;
      throw internalBecause(`the spec replicas field ${JSON.stringify(specReplicasPath)} does not exist`);
    },
    present: (object) => numberOf(valueAt(object, status ?? [])),
    selector(object) {
      const text = labelSelectorPath === '' ? undefined : valueAt(object, selector ?? []);
      return typeof text === 'string' ? text : '';
    },
    withWanted: (object, replicas) => ({ ...object, ...withValueAt({ ...object }, spec ?? [], replicas) }),
  });
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Every problem of the numbers that the scale of an object shows. */
export function validateReplicas(
  { specReplicasPath, statusReplicasPath, labelSelectorPath = '' }: CustomResourceSubresourceScale,
  object: ApiObject,
  problems: Problems,
): void {
  for (const path of [specReplicasPath, statusReplicasPath]) {
    const value = valueAt(object, namesIn(path));
    if (value === undefined) continue;
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      problems.invalid(
        path,
        0,
        `${path} accessor error: ${textOf(value)} is of the type ${typeName(value)}, expected int64`,
      );
    } else if (value < 0) problems.invalid(path, value, 'should be a non-negative integer');
    else if (value > MOST_REPLICAS) problems.invalid(path, value, `should be less than or equal to ${MOST_REPLICAS}`);
  }
  const text = labelSelectorPath === '' ? undefined : valueAt(object, namesIn(labelSelectorPath));
  if (text !== undefined && typeof text !== 'string') {
    const problem = `${labelSelectorPath} accessor error: ${textOf(text)} is of the type ${typeName(text)}, expected string`;
    problems.invalid(labelSelectorPath, '', problem);
  }
}

const MOST_REPLICAS = 2 ** 31 - 1;
const LONGEST_SHOWN = 100;

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, LONGEST_SHOWN);

const typeName = (value: unknown): string => {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'float64';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
};
