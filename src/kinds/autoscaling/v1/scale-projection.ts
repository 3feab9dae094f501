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

/** Where a kind keeps what its scale shows. */
export interface ScalePlaces<T> {
  /** How many there are to be, */
  wanted(object: T): number;
  /** and how many there are. */
  present(object: T): number;
  /** The text form of the selector for the pods that are counted. */
  selector(object: T): string;
  /** Must not change the object. */
  withWanted(object: T, replicas: number): T;
  readonly validate?: Projection<T, Scale>['validate'];
}

/** The number of replicas of an object, wherever its kind keeps it. */
export function scaleThrough<T extends ApiObject>(places: ScalePlaces<T>): Subresource<T> {
  const { group, version, kind } = scaleType;
  const { validate } = places;
  const projection: Projection<T, Scale> = {
    type: scaleType,
    read: (object) => scaleOf(object, places),
    write: (object, { spec }) => places.withWanted(object, spec.replicas ?? 0),
    ...(validate && { validate }),
  };
  return { verbs: ['get', 'patch', 'update'], group, version, kind, projection };
}

/** As `scaleThrough`, of a kind that keeps its numbers at the usual places. */
export const scaleSubresource = <T extends Scalable>(selectorOf: (object: T) => string): Subresource<T> =>
  scaleThrough<T>({
    wanted: ({ spec }) => spec.replicas ?? 0,
    present: ({ status }) => status.replicas ?? 0,
    selector: selectorOf,
    withWanted: (object, replicas) => ({ ...object, spec: { ...object.spec, replicas } }),
    validate: validateScale,
  });

function scaleOf<T extends ApiObject>(object: T, places: ScalePlaces<T>): Scale {
  const { name = '', namespace = '', uid = '', resourceVersion = '', creationTimestamp } = object.metadata;
  return {
    kind: scaleType.kind,
    apiVersion: `${scaleType.group}/${scaleType.version}`,
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: places.wanted(object) },
    status: { replicas: places.present(object), selector: places.selector(object) },
  };
}
