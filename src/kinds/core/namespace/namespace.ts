import { ObjectMeta } from '../../../meta/object-meta.ts';
import { string, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';

export const NamespaceSpec = struct(
  'core.v1.NamespaceSpec',
  {
    finalizers: f(
      1,
      list(string()),
      'Names that keep a deleted namespace until they are removed through the finalize subresource; the platform adds its own on create.',
    ),
  },
  { description: 'What must be done before a namespace can go.' },
);
export type NamespaceSpec = Infer<typeof NamespaceSpec>;

export const NamespaceCondition = struct(
  'core.v1.NamespaceCondition',
  {
    type: f(
      1,
      string().required(),
      'What is judged, such as NamespaceContentRemaining or NamespaceDeletionContentFailure.',
    ),
    status: f(2, string().required(), 'True, False or Unknown.'),
    lastTransitionTime: f(4, time(), 'When the status changed the last time.'),
    reason: f(5, string(), 'Why it is so, in one word for programs.'),
    message: f(6, string(), 'Why it is so, for people.'),
  },
  { description: 'One aspect of the deletion of a namespace.' },
);
export type NamespaceCondition = Infer<typeof NamespaceCondition>;

export const NamespaceStatus = struct(
  'core.v1.NamespaceStatus',
  {
    phase: f(
      1,
      string().suggests('Active', 'Terminating').default('Active'),
      'Active while it is in use; Terminating once it is being deleted, when nothing new can be created in it.',
    ),
    conditions: f(2, list(NamespaceCondition).mergeBy('type'), 'What holds up the deletion, if anything does.'),
  },
  { description: 'Whether a namespace is in use or being deleted.' },
);
export type NamespaceStatus = Infer<typeof NamespaceStatus>;

export const Namespace = kind(
  'core.v1.Namespace',
  {
    metadata: f(
      1,
      ObjectMeta,
      'Standard object metadata: name, labels, annotations. A namespace is itself in no namespace.',
    ),
    spec: f(2, NamespaceSpec, 'What must be done before the namespace can go.'),
    status: f(3, NamespaceStatus, 'Whether the namespace is in use or being deleted. Set by the platform.'),
  },
  {
    description:
      'A scope for names: objects in different namespaces may have the same name. Deleting it deletes all objects in it.',
  },
);
export type Namespace = Infer<typeof Namespace>;
