import { string } from '../../schema/scalars.ts';
import { f, type Infer, struct } from '../../schema/schema.ts';

export const ObjectReference = struct(
  'core.v1.ObjectReference',
  {
    kind: f(1, string(), 'Kind of the object, such as Pod.'),
    namespace: f(2, string(), 'Namespace of the object. Empty for objects that are in none.'),
    name: f(3, string(), 'Name of the object.'),
    uid: f(4, string(), 'Unique id of the object; tells it from a later one of the same name.'),
    apiVersion: f(5, string(), 'Group and version of the object, such as apps/v1.'),
    resourceVersion: f(6, string(), 'Version of the object that is meant. Usually unset: the object as it is.'),
    fieldPath: f(
      7,
      string(),
      'Part of the object that is meant, such as spec.containers{web}. Unset: the whole object.',
    ),
  },
  {
    description: 'Refers to any object. Which fields are needed depends on who reads it.',
    topology: { mapType: 'atomic' },
  },
);
export type ObjectReference = Infer<typeof ObjectReference>;

export const LocalObjectReference = struct(
  'core.v1.LocalObjectReference',
  {
    name: f(1, string(), 'Name of the object, which is in the same namespace.'),
  },
  {
    description: 'Refers to an object in the same namespace; its kind is known from where the reference stands.',
    topology: { mapType: 'atomic' },
  },
);
export type LocalObjectReference = Infer<typeof LocalObjectReference>;

export const TypedLocalObjectReference = struct(
  'core.v1.TypedLocalObjectReference',
  {
    apiGroup: f(1, string().optional().always(), 'API group of the object. Unset or empty: the core group.'),
    kind: f(2, string().required(), 'Kind of the object, such as PersistentVolumeClaim.'),
    name: f(3, string().required(), 'Name of the object, which is in the same namespace.'),
  },
  { description: 'Refers to an object of any kind in the same namespace.', topology: { mapType: 'atomic' } },
);
export type TypedLocalObjectReference = Infer<typeof TypedLocalObjectReference>;

export const SecretReference = struct(
  'core.v1.SecretReference',
  {
    name: f(1, string(), 'Name of the secret, unique within its namespace.'),
    namespace: f(2, string(), 'Namespace of the secret.'),
  },
  { description: 'Refers to a secret in any namespace.', topology: { mapType: 'atomic' } },
);
export type SecretReference = Infer<typeof SecretReference>;
