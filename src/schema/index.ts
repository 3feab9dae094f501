/**
 * `platform-apiserver/schema`: the language in which kinds are declared, for kinds of one's own. Fields that have no
 * protobuf number are `jsonOnly`.
 */

export { ListMeta, ObjectMeta, OwnerReference } from '../meta/object-meta.ts';
export type { Draft } from './draft.ts';
export {
  anything,
  bool,
  bytes,
  double,
  int32,
  int64,
  intOrString,
  microTime,
  quantity,
  string,
  time,
} from './scalars.ts';
export {
  type Fields,
  f,
  type Infer,
  inline,
  jsonOnly,
  kind,
  list,
  loose,
  map,
  open,
  type Struct,
  struct,
  type TypeMeta,
  union,
  type Values,
} from './schema.ts';
