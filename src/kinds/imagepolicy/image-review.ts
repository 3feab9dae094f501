import { ObjectMeta } from '../../meta/object-meta.ts';
import { bool, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../schema/schema.ts';

export const ImageReviewContainerSpec = struct(
  'imagepolicy.v1alpha1.ImageReviewContainerSpec',
  {
    image: f(1, string(), 'Reference of the image, by tag or by digest.'),
  },
  { description: 'A container whose image is to be examined.' },
);
export type ImageReviewContainerSpec = Infer<typeof ImageReviewContainerSpec>;

export const ImageReviewSpec = struct(
  'imagepolicy.v1alpha1.ImageReviewSpec',
  {
    containers: f(1, list(ImageReviewContainerSpec), 'The containers of the pod; one entry for each image.'),
    annotations: f(2, map(string()), 'Annotations of the pod that are meant for image reviews.'),
    namespace: f(3, string(), 'Namespace of the pod.'),
  },
  { description: 'The pod whose images are to be examined.' },
);
export type ImageReviewSpec = Infer<typeof ImageReviewSpec>;

export const ImageReviewStatus = struct(
  'imagepolicy.v1alpha1.ImageReviewStatus',
  {
    allowed: f(1, bool().required(), 'Whether the pod may run with these images.'),
    reason: f(2, string(), 'Why it may not; shown to the user. Can be empty when allowed.'),
    auditAnnotations: f(
      3,
      map(string()),
      'Annotations for the audit event of the request; the server puts the name of the plugin in front of each key.',
    ),
  },
  { description: 'Verdict on the images.' },
);
export type ImageReviewStatus = Infer<typeof ImageReviewStatus>;

export const ImageReview = kind(
  'imagepolicy.v1alpha1.ImageReview',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, ImageReviewSpec.required()),
    status: f(3, ImageReviewStatus),
  },
  { description: 'Asks a webhook whether a pod may run with its images.' },
);
export type ImageReview = Infer<typeof ImageReview>;
