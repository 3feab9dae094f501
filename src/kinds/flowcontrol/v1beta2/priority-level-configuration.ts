import { Condition } from '../../../meta/condition.ts';
import { ObjectMeta } from '../../../meta/object-meta.ts';
import { describedLike } from '../../../schema/described-like.ts';
import { int32, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';

export const QueuingConfiguration = struct(
  'flowcontrol.v1beta2.QueuingConfiguration',
  {
    queues: f(
      1,
      int32().always().default(64),
      'Number of queues; more of them keep flows apart better. Default 64; 1 turns off fairness between flows.',
    ),
    handSize: f(
      2,
      int32().always().default(8),
      'How many queues a flow chooses the shortest of; at most queues. Default 8.',
    ),
    queueLengthLimit: f(
      3,
      int32().always().default(50),
      'Most requests that wait in one queue; further ones are refused. Default 50.',
    ),
  },
  { description: 'The queues of a priority level.' },
);
export type QueuingConfiguration = Infer<typeof QueuingConfiguration>;

export const LimitResponse = struct(
  'flowcontrol.v1beta2.LimitResponse',
  {
    type: f(1, string().required(), 'Queue lets requests wait for their turn; Reject refuses them with 429.'),
    queuing: f(2, QueuingConfiguration.optional(), 'The queues; required when type is Queue, not allowed otherwise.'),
  },
  {
    description: 'What happens to requests that cannot be served at once; queuing is set exactly when type is Queue.',
    discriminator: { field: 'type', selects: { queuing: 'Queuing' } },
  },
);
export type LimitResponse = Infer<typeof LimitResponse>;

export const LimitedPriorityLevelConfiguration = struct(
  'flowcontrol.v1beta2.LimitedPriorityLevelConfiguration',
  {
    assuredConcurrencyShares: f(
      1,
      int32().always().default(30),
      'Share of the concurrency of the server in proportion to the shares of all limited levels. Default 30.',
    ),
    limitResponse: f(2, LimitResponse, 'What happens to requests that cannot be served at once.'),
  },
  { description: 'How many requests of a limited priority level are served at once, and what happens to the rest.' },
);
export type LimitedPriorityLevelConfiguration = Infer<typeof LimitedPriorityLevelConfiguration>;

export const PriorityLevelConfigurationSpec = struct(
  'flowcontrol.v1beta2.PriorityLevelConfigurationSpec',
  {
    type: f(1, string().required(), 'Limited restricts the requests of the level; Exempt serves them all at once.'),
    limited: f(
      2,
      LimitedPriorityLevelConfiguration.optional(),
      'Limits of the level; required when type is Limited, not allowed otherwise.',
    ),
  },
  {
    description: 'Desired state of a priority level; limited is set exactly when type is Limited.',
    discriminator: { field: 'type', selects: { limited: 'Limited' } },
  },
);
export type PriorityLevelConfigurationSpec = Infer<typeof PriorityLevelConfigurationSpec>;

export const PriorityLevelConfigurationCondition = struct(
  'flowcontrol.v1beta2.PriorityLevelConfigurationCondition',
  describedLike(Condition, {
    type: f(1, string(), 'Name of the aspect, chosen by the controller that reports it.'),
    status: f(2, string()),
    lastTransitionTime: f(3, time()),
    reason: f(4, string()),
    message: f(5, string()),
  }),
  { description: 'One observed aspect of the state of a priority level.' },
);
export type PriorityLevelConfigurationCondition = Infer<typeof PriorityLevelConfigurationCondition>;

export const PriorityLevelConfigurationStatus = struct(
  'flowcontrol.v1beta2.PriorityLevelConfigurationStatus',
  {
    conditions: f(
      1,
      list(PriorityLevelConfigurationCondition).mapBy('type'),
      'Observed aspects of the state, at most one of each type.',
    ),
  },
  { description: 'What was last observed of a priority level.' },
);
export type PriorityLevelConfigurationStatus = Infer<typeof PriorityLevelConfigurationStatus>;

export const PriorityLevelConfiguration = kind(
  'flowcontrol.v1beta2.PriorityLevelConfiguration',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, PriorityLevelConfigurationSpec),
    status: f(3, PriorityLevelConfigurationStatus),
  },
  { description: 'A priority level: how many of its requests are served at once, and what happens to the rest.' },
);
export type PriorityLevelConfiguration = Infer<typeof PriorityLevelConfiguration>;
