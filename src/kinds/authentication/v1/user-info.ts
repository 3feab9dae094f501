import { string, stringItems } from '../../../schema/scalars.ts';
import { f, type Infer, list, map, struct } from '../../../schema/schema.ts';

export const UserInfo = struct(
  'authentication.v1.UserInfo',
  {
    username: f(1, string(), 'Name that identifies the user among all active users.'),
    uid: f(2, string(), 'Identifier that stays the same over time; a later user of the same name has another one.'),
    groups: f(3, list(string()), 'Names of the groups that the user is in.'),
    extra: f(4, map(stringItems()), 'Further facts from the authenticator, each with a list of values.'),
  },
  { description: 'A user as the server has authenticated it.' },
);
export type UserInfo = Infer<typeof UserInfo>;
