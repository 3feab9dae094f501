import { string } from '../../schema/scalars.ts';
import { f, type Infer, struct } from '../../schema/schema.ts';

export const ObjectReference = struct(
  'core.v1.ObjectReference',
  {
    kind: f(1, string()),
    namespace: f(2, string()),
    name: f(3, string()),
    uid: f(4, string()),
    apiVersion: f(5, string()),
    resourceVersion: f(6, string()),
    fieldPath: f(7, string()),
  },
  { topology: { mapType: 'atomic' } },
);
export type ObjectReference = Infer<typeof ObjectReference>;

export const LocalObjectReference = struct(
  'core.v1.LocalObjectReference',
  {
    name: f(1, string()),
  },
  { topology: { mapType: 'atomic' } },
);
export type LocalObjectReference = Infer<typeof LocalObjectReference>;

export const TypedLocalObjectReference = struct(
  'core.v1.TypedLocalObjectReference',
  {
    apiGroup: f(1, string().optional().always()),
    kind: f(2, string().required()),
    name: f(3, string().required()),
  },
  { topology: { mapType: 'atomic' } },
);
export type TypedLocalObjectReference = Infer<typeof TypedLocalObjectReference>;

export const SecretReference = struct(
  'core.v1.SecretReference',
  {
    name: f(1, string()),
    namespace: f(2, string()),
  },
  { topology: { mapType: 'atomic' } },
);
export type SecretReference = Infer<typeof SecretReference>;
