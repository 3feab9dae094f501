import { int64, string, time } from '../../schema/scalars.ts';
import { f, type Infer, struct } from '../../schema/schema.ts';

export const Taint = struct('core.v1.Taint', {
  key: f(1, string().required()),
  value: f(2, string()),
  effect: f(3, string().required().suggests('NoExecute', 'NoSchedule', 'PreferNoSchedule')),
  timeAdded: f(4, time().optional()),
});
export type Taint = Infer<typeof Taint>;

export const Toleration = struct('core.v1.Toleration', {
  key: f(1, string()),
  operator: f(2, string().oneOf('Equal', 'Exists')),
  value: f(3, string()),
  effect: f(4, string().oneOf('NoExecute', 'NoSchedule', 'PreferNoSchedule')),
  tolerationSeconds: f(5, int64().optional()),
});
export type Toleration = Infer<typeof Toleration>;
