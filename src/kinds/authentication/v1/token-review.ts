import { bool, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { UserInfo } from './user-info.ts';

export const TokenReviewSpec = struct('authentication.v1.TokenReviewSpec', {
  token: f(1, string()),
  audiences: f(2, list(string())),
});
export type TokenReviewSpec = Infer<typeof TokenReviewSpec>;

export const TokenReviewStatus = struct('authentication.v1.TokenReviewStatus', {
  authenticated: f(1, bool()),
  user: f(2, UserInfo),
  audiences: f(4, list(string())),
  error: f(3, string()),
});
export type TokenReviewStatus = Infer<typeof TokenReviewStatus>;

export const TokenReview = kind(
  'authentication.v1.TokenReview',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, TokenReviewSpec.required()),
    status: f(3, TokenReviewStatus),
  },
  { description: 'Asks whose token this is.' },
);
export type TokenReview = Infer<typeof TokenReview>;
