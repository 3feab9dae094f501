import { ObjectMeta } from '../../meta/object-meta.ts';
import { string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';

export const ComponentCondition = struct(
  'core.v1.ComponentCondition',
  {
    type: f(1, string().required(), 'What is judged; Healthy is the only type.'),
    status: f(2, string().required(), 'True, False or Unknown. For Healthy, True means that the component works.'),
    message: f(3, string(), 'What the component answered, such as ok.'),
    error: f(4, string(), 'Code of the error when the component could not be asked or is not healthy.'),
  },
  { description: 'What a probe found out about a component of the control plane.' },
);
export type ComponentCondition = Infer<typeof ComponentCondition>;

export const ComponentStatus = kind(
  'core.v1.ComponentStatus',
  {
    metadata: f(1, ObjectMeta, 'Standard object metadata; the name is that of the component.'),
    conditions: f(2, list(ComponentCondition).mergeBy('type'), 'What the probes of the component found.'),
  },
  {
    description:
      'Health of one component of the control plane, asked when it is read. Deprecated: use the health endpoints instead.',
  },
);
export type ComponentStatus = Infer<typeof ComponentStatus>;
