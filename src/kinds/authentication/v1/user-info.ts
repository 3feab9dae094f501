import { string, stringItems } from '../../../schema/scalars.ts';
import { f, type Infer, list, map, struct } from '../../../schema/schema.ts';

export const UserInfo = struct('authentication.v1.UserInfo', {
  username: f(1, string()),
  uid: f(2, string()),
  groups: f(3, list(string())),
  extra: f(4, map(stringItems())),
});
export type UserInfo = Infer<typeof UserInfo>;
