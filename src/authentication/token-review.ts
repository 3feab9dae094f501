import { ApiError, badRequest } from '../api/errors.ts';
import type { Action } from '../handlers/actions/action.ts';
import { TokenReview, type TokenReviewStatus } from '../kinds/authentication/v1/token-review.ts';
import { silent } from '../registry/write.ts';
import { canonicalise } from '../schema/derive/canonical.ts';
import type { TokenOwner } from './bearer-tokens.ts';
import { publishedUser } from './published-user.ts';

/** Finds out whose a token is, for one of these audiences; for none in particular: for this server. Rejects with a 401. */
export type TokenAuthentication = (token: string, audiences: readonly string[]) => Promise<TokenOwner>;

/** Tells whoever may ask whose a token is. `group`: that of the reviews. */
export function tokenReview(authenticate: TokenAuthentication, group: string): Action<TokenReview> {
  return {
    group,
    plural: 'tokenreviews',
    subresource: '',
    accepts: [{ group, version: 'v1', kind: 'TokenReview', schema: TokenReview, sensitive: true }],
    admission: false,
    async run({ object, options: { warn = silent } }) {
      const { token = '', audiences } = object.spec;
      if (token === '') throw badRequest('spec.token must hold the token that is asked about');
      const status = await statusOf(authenticate, token, audiences ?? [], warn);
      return { status: 201, body: canonicalise(TokenReview, { ...object, status }).value };
    },
  };
}

async function statusOf(
  authenticate: TokenAuthentication,
  token: string,
  wanted: readonly string[],
  warn: (text: string) => void,
): Promise<TokenReviewStatus> {
  try {
    const { user, audiences } = await authenticate(token, wanted);
    user.warnings?.forEach(warn);
    return { authenticated: true, user: publishedUser(user), audiences: [...audiences] };
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== 'Unauthorized') throw error;
    return { user: {}, error: 'the token is not valid' };
  }
}
