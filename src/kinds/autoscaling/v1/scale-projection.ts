import type { ApiObject, ObjectType, Projection, Subresource } from '../../../registry/resource-type.ts';
import { ageColumn, integer, nameColumn } from '../../columns.ts';
import { Scale } from './scale.ts';
import { validateScale } from './scale-validation.ts';

const scaleType: ObjectType<Scale> = {
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  schema: Scale,
  columns: [
    nameColumn,
    integer('Desired', 'How many there are to be.', ({ spec }) => spec.replicas ?? 0),
    integer('Available', 'How many there are.', ({ status }) => status.replicas),
    ageColumn,
  ],
};

/** What has a number of replicas, wanted and present. */
interface Scalable extends ApiObject {
  spec: { replicas?: number };
  status: { replicas?: number };
}

/** The number of replicas of an object. `selectorOf` gives the text form of the selector for the pods that it counts. */
export function scaleSubresource<T extends Scalable>(selectorOf: (object: T) => string): Subresource<T> {
  const { group, version, kind } = scaleType;
  const projection: Projection<T, Scale> = {
    type: scaleType,
    read: (object) => scaleOf(object, selectorOf(object)),
    write: (object, { spec }) => ({ ...object, spec: { ...object.spec, replicas: spec.replicas ?? 0 } }),
    validate: validateScale,
  };
  return { verbs: ['get', 'patch', 'update'], group, version, kind, projection };
}

function scaleOf({ metadata, spec, status }: Scalable, selector: string): Scale {
  const { name = '', namespace = '', uid = '', resourceVersion = '', creationTimestamp } = metadata;
  return {
    kind: scaleType.kind,
    apiVersion: `${scaleType.group}/${scaleType.version}`,
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: spec.replicas ?? 0 },
    status: { replicas: status.replicas ?? 0, selector },
  };
}
