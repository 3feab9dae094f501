import { bool, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const ImageReviewContainerSpec = struct('imagepolicy.v1alpha1.ImageReviewContainerSpec', {
  image: f(1, string()),
});
export type ImageReviewContainerSpec = Infer<typeof ImageReviewContainerSpec>;

export const ImageReviewSpec = struct('imagepolicy.v1alpha1.ImageReviewSpec', {
  containers: f(1, list(ImageReviewContainerSpec)),
  annotations: f(2, map(string())),
  namespace: f(3, string()),
});
export type ImageReviewSpec = Infer<typeof ImageReviewSpec>;

export const ImageReviewStatus = struct('imagepolicy.v1alpha1.ImageReviewStatus', {
  allowed: f(1, bool().required()),
  reason: f(2, string()),
  auditAnnotations: f(3, map(string())),
});
export type ImageReviewStatus = Infer<typeof ImageReviewStatus>;

export const ImageReview = kind(
  'imagepolicy.v1alpha1.ImageReview',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, ImageReviewSpec.required()),
    status: f(3, ImageReviewStatus),
  },
  { description: 'Asks whether the images of a pod may be used.' },
);
export type ImageReview = Infer<typeof ImageReview>;
