import { ObjectMeta } from '../../../meta/object-meta.ts';
import { int64, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';

export const BoundObjectReference = struct(
  'authentication.v1.BoundObjectReference',
  {
    kind: f(1, string(), 'Kind of the object: Pod or Secret.'),
    apiVersion: f(2, string(), 'Version of the object, v1.'),
    name: f(3, string(), 'Name of the object, in the namespace of the service account.'),
    uid: f(4, string(), 'UID of the object. Unset: that of the object which has the name now.'),
  },
  { description: 'Object whose deletion makes a token invalid.' },
);
export type BoundObjectReference = Infer<typeof BoundObjectReference>;

export const TokenRequestSpec = struct(
  'authentication.v1.TokenRequestSpec',
  {
    audiences: f(
      1,
      list(string()).required(),
      'Who the token is meant for; others must refuse it. Empty: the API server.',
    ),
    expirationSeconds: f(
      4,
      int64().optional().always().default(3600),
      'Seconds that the token should be valid, at least 600; the server may choose another time. Default 3600.',
    ),
    boundObjectRef: f(
      3,
      BoundObjectReference.optional().always(),
      'Object that the token depends on: it becomes invalid when the object is deleted. Unset: the service account alone.',
    ),
  },
  { description: 'What token is wanted.' },
);
export type TokenRequestSpec = Infer<typeof TokenRequestSpec>;

export const TokenRequestStatus = struct(
  'authentication.v1.TokenRequestStatus',
  {
    token: f(1, string().required(), 'The token, a JSON web token to be sent as a bearer token.'),
    expirationTimestamp: f(2, time().required(), 'When the token expires.'),
  },
  { description: 'The token that was issued.' },
);
export type TokenRequestStatus = Infer<typeof TokenRequestStatus>;

export const TokenRequest = kind(
  'authentication.v1.TokenRequest',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, TokenRequestSpec.required()),
    status: f(3, TokenRequestStatus),
  },
  { description: 'Requests a token for a service account; sent to the token subresource of the account.' },
);
export type TokenRequest = Infer<typeof TokenRequest>;
