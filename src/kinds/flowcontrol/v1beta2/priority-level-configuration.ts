import { int32, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';

export const QueuingConfiguration = struct('flowcontrol.v1beta2.QueuingConfiguration', {
  queues: f(1, int32().always().default(64)),
  handSize: f(2, int32().always().default(8)),
  queueLengthLimit: f(3, int32().always().default(50)),
});
export type QueuingConfiguration = Infer<typeof QueuingConfiguration>;

export const LimitResponse = struct(
  'flowcontrol.v1beta2.LimitResponse',
  {
    type: f(1, string().required()),
    queuing: f(2, QueuingConfiguration.optional()),
  },
  { discriminator: { field: 'type', selects: { queuing: 'Queuing' } } },
);
export type LimitResponse = Infer<typeof LimitResponse>;

export const LimitedPriorityLevelConfiguration = struct('flowcontrol.v1beta2.LimitedPriorityLevelConfiguration', {
  assuredConcurrencyShares: f(1, int32().always().default(30)),
  limitResponse: f(2, LimitResponse),
});
export type LimitedPriorityLevelConfiguration = Infer<typeof LimitedPriorityLevelConfiguration>;

export const PriorityLevelConfigurationSpec = struct(
  'flowcontrol.v1beta2.PriorityLevelConfigurationSpec',
  {
    type: f(1, string().required()),
    limited: f(2, LimitedPriorityLevelConfiguration.optional()),
  },
  { discriminator: { field: 'type', selects: { limited: 'Limited' } } },
);
export type PriorityLevelConfigurationSpec = Infer<typeof PriorityLevelConfigurationSpec>;

export const PriorityLevelConfigurationCondition = struct('flowcontrol.v1beta2.PriorityLevelConfigurationCondition', {
  type: f(1, string()),
  status: f(2, string()),
  lastTransitionTime: f(3, time()),
  reason: f(4, string()),
  message: f(5, string()),
});
export type PriorityLevelConfigurationCondition = Infer<typeof PriorityLevelConfigurationCondition>;

export const PriorityLevelConfigurationStatus = struct('flowcontrol.v1beta2.PriorityLevelConfigurationStatus', {
  conditions: f(1, list(PriorityLevelConfigurationCondition).mapBy('type')),
});
export type PriorityLevelConfigurationStatus = Infer<typeof PriorityLevelConfigurationStatus>;

export const PriorityLevelConfiguration = kind(
  'flowcontrol.v1beta2.PriorityLevelConfiguration',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, PriorityLevelConfigurationSpec),
    status: f(3, PriorityLevelConfigurationStatus),
  },
  { description: 'How many requests of one level are served at once, and what happens to the rest.' },
);
export type PriorityLevelConfiguration = Infer<typeof PriorityLevelConfiguration>;
