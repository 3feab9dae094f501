import { bool, string, stringItems } from '../../../schema/scalars.ts';
import { f, type Infer, list, map, struct } from '../../../schema/schema.ts';

export const NonResourceAttributes = struct('authorization.v1.NonResourceAttributes', {
  path: f(1, string()),
  verb: f(2, string()),
});
export type NonResourceAttributes = Infer<typeof NonResourceAttributes>;

export const ResourceAttributes = struct('authorization.v1.ResourceAttributes', {
  namespace: f(1, string()),
  verb: f(2, string()),
  group: f(3, string()),
  version: f(4, string()),
  resource: f(5, string()),
  subresource: f(6, string()),
  name: f(7, string()),
});
export type ResourceAttributes = Infer<typeof ResourceAttributes>;

export const SubjectAccessReviewSpec = struct('authorization.v1.SubjectAccessReviewSpec', {
  resourceAttributes: f(1, ResourceAttributes.optional()),
  nonResourceAttributes: f(2, NonResourceAttributes.optional()),
  user: f(3, string()),
  groups: f(4, list(string())),
  extra: f(5, map(stringItems())),
  uid: f(6, string()),
});
export type SubjectAccessReviewSpec = Infer<typeof SubjectAccessReviewSpec>;

export const SelfSubjectAccessReviewSpec = struct('authorization.v1.SelfSubjectAccessReviewSpec', {
  resourceAttributes: f(1, ResourceAttributes.optional()),
  nonResourceAttributes: f(2, NonResourceAttributes.optional()),
});
export type SelfSubjectAccessReviewSpec = Infer<typeof SelfSubjectAccessReviewSpec>;

export const SubjectAccessReviewStatus = struct('authorization.v1.SubjectAccessReviewStatus', {
  allowed: f(1, bool().required()),
  denied: f(4, bool()),
  reason: f(2, string()),
  evaluationError: f(3, string()),
});
export type SubjectAccessReviewStatus = Infer<typeof SubjectAccessReviewStatus>;
