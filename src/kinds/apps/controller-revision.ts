import { ObjectMeta } from '../../meta/object-meta.ts';
import { int64, rawExtension } from '../../schema/scalars.ts';
import { f, type Infer, kind } from '../../schema/schema.ts';

export const ControllerRevision = kind(
  'apps.v1.ControllerRevision',
  {
    metadata: f(1, ObjectMeta),
    data: f(
      2,
      rawExtension(),
      'The state that the snapshot holds, in a form that its owner understands; it cannot be changed.',
    ),
    revision: f(3, int64().required(), 'Number of the snapshot; a higher number is a later state.'),
  },
  {
    description:
      'Immutable snapshot of the pod template of a StatefulSet or DaemonSet, kept so that a rollout can be undone.',
  },
);
export type ControllerRevision = Infer<typeof ControllerRevision>;
