import { int64, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';

export const BoundObjectReference = struct('authentication.v1.BoundObjectReference', {
  kind: f(1, string()),
  apiVersion: f(2, string()),
  name: f(3, string()),
  uid: f(4, string()),
});
export type BoundObjectReference = Infer<typeof BoundObjectReference>;

export const TokenRequestSpec = struct('authentication.v1.TokenRequestSpec', {
  audiences: f(1, list(string()).required()),
  expirationSeconds: f(4, int64().optional().always().default(3600)),
  boundObjectRef: f(3, BoundObjectReference.optional().always()),
});
export type TokenRequestSpec = Infer<typeof TokenRequestSpec>;

export const TokenRequestStatus = struct('authentication.v1.TokenRequestStatus', {
  token: f(1, string().required()),
  expirationTimestamp: f(2, time().required()),
});
export type TokenRequestStatus = Infer<typeof TokenRequestStatus>;

export const TokenRequest = kind(
  'authentication.v1.TokenRequest',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, TokenRequestSpec.required()),
    status: f(3, TokenRequestStatus),
  },
  { description: 'Asks for a token of a service account.' },
);
export type TokenRequest = Infer<typeof TokenRequest>;
