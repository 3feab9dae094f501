import { renamed } from '../../../schema/rename.ts';
import type { Infer } from '../../../schema/schema.ts';
import { TokenReview as Newer } from '../v1/token-review.ts';

export const TokenReview = renamed(Newer, 'authentication.v1.', 'authentication.v1beta1.');
export type TokenReview = Infer<typeof TokenReview>;
