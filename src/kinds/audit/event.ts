import { Status } from '../../meta/status.ts';
import { microTime, rawExtension, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../schema/schema.ts';
import { UserInfo } from '../authentication/v1/user-info.ts';

export const ObjectReference = struct(
  'audit.v1.ObjectReference',
  {
    resource: f(1, string(), 'Plural name of the resource.'),
    namespace: f(2, string(), 'Namespace of the object.'),
    name: f(3, string(), 'Name of the object.'),
    uid: f(4, string(), 'UID of the object.'),
    apiGroup: f(5, string(), 'API group of the resource; empty for the core group.'),
    apiVersion: f(6, string(), 'Version of the group.'),
    resourceVersion: f(7, string(), 'Resource version of the object, if the request named one.'),
    subresource: f(8, string(), 'Subresource of the request, such as status.'),
  },
  { description: 'The object that a request was for.' },
);
export type ObjectReference = Infer<typeof ObjectReference>;

export const Event = kind(
  'audit.v1.Event',
  {
    level: f(
      1,
      string().required(),
      'How much is recorded: Metadata, Request (with the body) or RequestResponse (with both bodies).',
    ),
    auditID: f(2, string().required(), 'Identifier of the request; the same in all its events.'),
    stage: f(
      3,
      string().required(),
      'RequestReceived, ResponseStarted (long answers only), ResponseComplete or Panic.',
    ),
    requestURI: f(4, string().required(), 'Path and query as the client sent them.'),
    verb: f(
      5,
      string().required(),
      'Verb of the request; the HTTP method in lower case for paths that belong to no resource.',
    ),
    user: f(6, UserInfo.required(), 'The user who made the request.'),
    impersonatedUser: f(7, UserInfo.optional(), 'The user that the request was made as, if that is another one.'),
    sourceIPs: f(
      8,
      list(string()),
      'Addresses that the request came through: from headers of proxies, then that of the connection. Headers can be forged.',
    ),
    userAgent: f(16, string(), 'Client software, as it calls itself.'),
    objectRef: f(
      9,
      ObjectReference.optional(),
      'The object that the request was for; unset for lists and for paths that belong to no resource.',
    ),
    responseStatus: f(10, Status.optional(), 'Outcome; for a success only its code.'),
    requestObject: f(11, rawExtension().optional(), 'Body of the request as it was sent, at level Request and above.'),
    responseObject: f(12, rawExtension().optional(), 'Body of the answer, at level RequestResponse.'),
    requestReceivedTimestamp: f(13, microTime(), 'When the request arrived.'),
    stageTimestamp: f(14, microTime(), 'When the stage was reached.'),
    annotations: f(
      15,
      map(string()),
      'Remarks of plugins along the way, such as the decision of authorization; keys have the prefix of a domain.',
    ),
  },
  { description: 'Record of one request at one stage of its handling.' },
);
export type Event = Infer<typeof Event>;
