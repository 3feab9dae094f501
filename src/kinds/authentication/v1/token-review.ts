import { ObjectMeta } from '../../../meta/object-meta.ts';
import { bool, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';
import { UserInfo } from './user-info.ts';

export const TokenReviewSpec = struct(
  'authentication.v1.TokenReviewSpec',
  {
    token: f(1, string(), 'The bearer token.'),
    audiences: f(
      2,
      list(string()),
      'Who the asker is; the token must be meant for one of these. Empty: the API server.',
    ),
  },
  { description: 'The token to be examined.' },
);
export type TokenReviewSpec = Infer<typeof TokenReviewSpec>;

export const TokenReviewStatus = struct(
  'authentication.v1.TokenReviewStatus',
  {
    authenticated: f(1, bool(), 'Whether the token is valid.'),
    user: f(2, UserInfo, 'The user that the token belongs to.'),
    audiences: f(
      4,
      list(string()),
      'Those of the asked audiences that the token is meant for. A client that asks for some must find one of its own here.',
    ),
    error: f(3, string(), 'Why the token could not be examined.'),
  },
  { description: 'What was found out about the token.' },
);
export type TokenReviewStatus = Infer<typeof TokenReviewStatus>;

export const TokenReview = kind(
  'authentication.v1.TokenReview',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, TokenReviewSpec.required()),
    status: f(3, TokenReviewStatus),
  },
  { description: 'Asks the server whether a token is valid and whose it is; nothing is stored.' },
);
export type TokenReview = Infer<typeof TokenReview>;
