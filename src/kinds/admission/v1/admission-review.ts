import { GroupVersionKind, GroupVersionResource } from '../../../meta/group-version.ts';
import { Status } from '../../../meta/status.ts';
import { bool, bytes, rawExtension, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../../schema/schema.ts';
import { UserInfo } from '../../authentication/v1/user-info.ts';

export const AdmissionRequest = struct(
  'admission.v1.AdmissionRequest',
  {
    uid: f(1, string().required(), 'Identifier of this call; the response must repeat it.'),
    kind: f(2, GroupVersionKind.required(), 'Kind of object that is sent, such as autoscaling/v1 Scale.'),
    resource: f(3, GroupVersionResource.required(), 'Resource that the webhook is called for, such as v1 pods.'),
    subResource: f(
      4,
      string(),
      'Subresource that the webhook is called for, such as status; empty for the object itself.',
    ),
    requestKind: f(
      13,
      GroupVersionKind.optional(),
      'Kind in the version of the original request; differs from kind when the object was converted for the webhook.',
    ),
    requestResource: f(
      14,
      GroupVersionResource.optional(),
      'Resource in the version of the original request; differs from resource when the object was converted for the webhook.',
    ),
    requestSubResource: f(
      15,
      string(),
      'Subresource of the original request; differs from subResource when the object was converted for the webhook.',
    ),
    name: f(5, string(), 'Name of the object; empty on create when the server makes the name.'),
    namespace: f(6, string(), 'Namespace of the object; empty for cluster-wide ones.'),
    operation: f(7, string().required(), 'CREATE, UPDATE, DELETE or CONNECT.'),
    userInfo: f(8, UserInfo.required(), 'The user who made the request.'),
    object: f(9, rawExtension(), 'The new object; unset for DELETE.'),
    oldObject: f(10, rawExtension(), 'The stored object; only for UPDATE and DELETE.'),
    dryRun: f(
      11,
      bool().optional(),
      'Whether nothing will be stored; the webhook must then change nothing elsewhere. Default false.',
    ),
    options: f(12, rawExtension(), 'Options of the operation, such as CreateOptions.'),
  },
  { description: 'The request that an admission webhook is asked about.' },
);
export type AdmissionRequest = Infer<typeof AdmissionRequest>;

export const AdmissionResponse = struct(
  'admission.v1.AdmissionResponse',
  {
    uid: f(1, string().required(), 'The uid of the request that is answered.'),
    allowed: f(2, bool().required(), 'Whether the request may go on.'),
    status: f(3, Status.optional(), 'Why the request is refused; ignored when it is allowed.'),
    patch: f(4, bytes(), 'Base64 of changes to the object; only mutating webhooks may send one.'),
    patchType: f(5, string().optional(), 'Format of patch; JSONPatch is the only one.'),
    auditAnnotations: f(
      6,
      map(string()),
      'Annotations for the audit event of the request; the server puts the name of the webhook in front of each key.',
    ),
    warnings: f(7, list(string()), 'Messages that the client gets as warning headers; best below 120 characters each.'),
  },
  { description: 'Verdict of an admission webhook.' },
);
export type AdmissionResponse = Infer<typeof AdmissionResponse>;

export const AdmissionReview = kind(
  'admission.v1.AdmissionReview',
  {
    request: f(1, AdmissionRequest.optional(), 'What the webhook is asked; set by the server.'),
    response: f(2, AdmissionResponse.optional(), 'The verdict; set by the webhook.'),
  },
  { description: 'Call of an admission webhook: the server sends the request, the webhook answers with the response.' },
);
export type AdmissionReview = Infer<typeof AdmissionReview>;
