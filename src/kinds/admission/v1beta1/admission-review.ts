import { renamed } from '../../../schema/rename.ts';
import type { Infer } from '../../../schema/schema.ts';
import { AdmissionReview as Newer } from '../v1/admission-review.ts';

export const AdmissionReview = renamed(Newer, 'admission.v1.', 'admission.v1beta1.');
export type AdmissionReview = Infer<typeof AdmissionReview>;
