import { int64, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, struct } from '../../../schema/schema.ts';

export const Taint = struct(
  'core.v1.Taint',
  {
    key: f(1, string().required(), 'Key of the taint, a qualified name like that of a label.'),
    value: f(2, string(), 'Value that belongs to the key; may be empty.'),
    effect: f(
      3,
      string().required().suggests('NoExecute', 'NoSchedule', 'PreferNoSchedule'),
      'NoSchedule: no new pods; PreferNoSchedule: none if it can be avoided; NoExecute: running pods are evicted too.',
    ),
    timeAdded: f(
      4,
      time().optional(),
      'When the taint was added. Set for NoExecute only, to count how long pods tolerate it.',
    ),
  },
  { description: 'A mark on a node that keeps pods away that do not tolerate it.' },
);
export type Taint = Infer<typeof Taint>;

export const Toleration = struct(
  'core.v1.Toleration',
  {
    key: f(1, string(), 'Key of the taint. Empty matches every key; operator must then be Exists.'),
    operator: f(
      2,
      string().oneOf('Equal', 'Exists'),
      'Equal (default): value must be that of the taint; Exists: any value. An empty one means Equal.',
    ),
    value: f(3, string(), 'Value of the taint, for Equal. Must be empty for Exists.'),
    effect: f(
      4,
      string().oneOf('NoExecute', 'NoSchedule', 'PreferNoSchedule'),
      'Effect of the taint: NoSchedule, PreferNoSchedule or NoExecute. Empty matches all.',
    ),
    tolerationSeconds: f(
      5,
      int64().optional(),
      'Seconds the pod stays after a NoExecute taint appears; 0 or less evicts at once. Unset: for ever. Only for NoExecute.',
    ),
  },
  { description: 'Lets a pod run on nodes with a matching taint.' },
);
export type Toleration = Infer<typeof Toleration>;
