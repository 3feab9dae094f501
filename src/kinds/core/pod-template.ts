import { f, type Infer, kind, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { PodSpec } from './pod-spec.ts';

export const PodTemplateSpec = struct(
  'core.v1.PodTemplateSpec',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, PodSpec),
  },
  { description: 'What the pods of a controller look like.' },
);
export type PodTemplateSpec = Infer<typeof PodTemplateSpec>;

export const PodTemplate = kind(
  'core.v1.PodTemplate',
  {
    metadata: f(1, ObjectMeta),
    template: f(2, PodTemplateSpec),
  },
  { description: 'A pod to be made by others, kept on its own.' },
);
export type PodTemplate = Infer<typeof PodTemplate>;
