import type { UserInfo } from '../api/user.ts';
import type { UserInfo as PublishedUser } from '../kinds/authentication/v1/user-info.ts';

/** A user as reviews tell of one. */
export const publishedUser = ({ name, uid, groups, extra }: UserInfo): PublishedUser => ({
  username: name,
  uid,
  groups: [...groups],
  extra: Object.fromEntries([...extra].map(([key, values]) => [key, [...values]])),
});
