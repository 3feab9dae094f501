import { bool, bytes, rawExtension, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../../schema/schema.ts';
import { UserInfo } from '../../authentication/v1/user-info.ts';
import { GroupVersionKind, GroupVersionResource } from '../../meta/group-version.ts';
import { Status } from '../../meta/status.ts';

export const AdmissionRequest = struct('admission.v1.AdmissionRequest', {
  uid: f(1, string().required()),
  kind: f(2, GroupVersionKind.required()),
  resource: f(3, GroupVersionResource.required()),
  subResource: f(4, string()),
  requestKind: f(13, GroupVersionKind.optional()),
  requestResource: f(14, GroupVersionResource.optional()),
  requestSubResource: f(15, string()),
  name: f(5, string()),
  namespace: f(6, string()),
  operation: f(7, string().required()),
  userInfo: f(8, UserInfo.required()),
  object: f(9, rawExtension()),
  oldObject: f(10, rawExtension()),
  dryRun: f(11, bool().optional()),
  options: f(12, rawExtension()),
});
export type AdmissionRequest = Infer<typeof AdmissionRequest>;

export const AdmissionResponse = struct('admission.v1.AdmissionResponse', {
  uid: f(1, string().required()),
  allowed: f(2, bool().required()),
  status: f(3, Status.optional()),
  patch: f(4, bytes()),
  patchType: f(5, string().optional()),
  auditAnnotations: f(6, map(string())),
  warnings: f(7, list(string())),
});
export type AdmissionResponse = Infer<typeof AdmissionResponse>;

export const AdmissionReview = kind(
  'admission.v1.AdmissionReview',
  {
    request: f(1, AdmissionRequest.optional()),
    response: f(2, AdmissionResponse.optional()),
  },
  { description: 'What a webhook is asked, and what it answers.' },
);
export type AdmissionReview = Infer<typeof AdmissionReview>;
