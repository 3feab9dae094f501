import { renamed } from '../../../schema/rename.ts';
import type { Infer } from '../../../schema/schema.ts';
import { SelfSubjectAccessReview as Newer } from '../v1/self-subject-access-review.ts';

export const SelfSubjectAccessReview = renamed(Newer, 'authorization.v1.', 'authorization.v1beta1.');
export type SelfSubjectAccessReview = Infer<typeof SelfSubjectAccessReview>;
