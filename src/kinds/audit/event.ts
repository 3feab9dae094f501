import { microTime, rawExtension, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../schema/schema.ts';
import { UserInfo } from '../authentication/v1/user-info.ts';
import { Status } from '../meta/status.ts';

export const ObjectReference = struct('audit.v1.ObjectReference', {
  resource: f(1, string()),
  namespace: f(2, string()),
  name: f(3, string()),
  uid: f(4, string()),
  apiGroup: f(5, string()),
  apiVersion: f(6, string()),
  resourceVersion: f(7, string()),
  subresource: f(8, string()),
});
export type ObjectReference = Infer<typeof ObjectReference>;

export const Event = kind(
  'audit.v1.Event',
  {
    level: f(1, string().required()),
    auditID: f(2, string().required()),
    stage: f(3, string().required()),
    requestURI: f(4, string().required()),
    verb: f(5, string().required()),
    user: f(6, UserInfo.required()),
    impersonatedUser: f(7, UserInfo.optional()),
    sourceIPs: f(8, list(string())),
    userAgent: f(16, string()),
    objectRef: f(9, ObjectReference.optional()),
    responseStatus: f(10, Status.optional()),
    requestObject: f(11, rawExtension().optional()),
    responseObject: f(12, rawExtension().optional()),
    requestReceivedTimestamp: f(13, microTime()),
    stageTimestamp: f(14, microTime()),
    annotations: f(15, map(string())),
  },
  { description: 'A record of one request at one stage.' },
);
export type Event = Infer<typeof Event>;
