import { ObjectMeta } from '../../../meta/object-meta.ts';
import { f, type Infer, kind, struct } from '../../../schema/schema.ts';
import { PodSpec } from './pod-spec.ts';

export const PodTemplateSpec = struct(
  'core.v1.PodTemplateSpec',
  {
    metadata: f(1, ObjectMeta, 'Labels, annotations and finalizers for the pods. Names are made by the controller.'),
    spec: f(2, PodSpec, 'What the pods run and how.'),
  },
  { description: 'What the pods look like that a controller creates.' },
);
export type PodTemplateSpec = Infer<typeof PodTemplateSpec>;

export const PodTemplate = kind(
  'core.v1.PodTemplate',
  {
    metadata: f(1, ObjectMeta, 'Standard object metadata: name, namespace, labels, annotations, owners.'),
    template: f(2, PodTemplateSpec, 'What pods made from this template look like.'),
  },
  { description: 'A template for pods, stored on its own for others to use.' },
);
export type PodTemplate = Infer<typeof PodTemplate>;
