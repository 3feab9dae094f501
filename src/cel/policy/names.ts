import { AUTHORIZER, RESOURCE_CHECK } from '../functions/authorizer.ts';
import { BOOL, DYN, INT, listOf, mapOf, type ObjectType, STRING, TIMESTAMP, type Type } from '../types/type.ts';

const object = (name: string, fields: Readonly<Record<string, Type>>): ObjectType => ({
  kind: 'object',
  name,
  fields: new Map(Object.entries(fields).map(([field, type]) => [field, { name: field, type }])),
});

const KIND = object('meta.v1.GroupVersionKind', { group: STRING, version: STRING, kind: STRING });
const RESOURCE = object('meta.v1.GroupVersionResource', { group: STRING, version: STRING, resource: STRING });
const USER = object('authentication.v1.UserInfo', {
  username: STRING,
  uid: STRING,
  groups: listOf(STRING),
  extra: mapOf(STRING, listOf(STRING)),
});

/** What a request is, as webhooks are told it, without its objects. */
const REQUEST = object('admission.v1.AdmissionRequest', {
  kind: KIND,
  resource: RESOURCE,
  subResource: STRING,
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: USER,
  dryRun: BOOL,
  options: DYN,
});

/** What expressions see of a namespace: not all of it. */
const NAMESPACE = object('core.v1.Namespace', {
  metadata: object('meta.v1.ObjectMeta', {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: mapOf(STRING, STRING),
    annotations: mapOf(STRING, STRING),
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: listOf(STRING),
  }),
  spec: object('core.v1.NamespaceSpec', { finalizers: listOf(STRING) }),
  status: object('core.v1.NamespaceStatus', { phase: STRING }),
});

/** What expressions of policies can name, in the order in which values are handed in. Variables of a policy follow. */
export const POLICY_NAMES = {
  object: DYN,
  oldObject: DYN,
  request: REQUEST,
  params: DYN,
  namespaceObject: NAMESPACE,
  authorizer: AUTHORIZER,
  'authorizer.requestResource': RESOURCE_CHECK,
  /** All variables of the policy in one value. */
  variables: DYN,
} as const satisfies Readonly<Record<string, Type>>;

export type PolicyName = keyof typeof POLICY_NAMES;

/** The value of each name; null for what there is none of. */
export type PolicyValues = Readonly<Record<Exclude<PolicyName, 'variables'>, unknown>>;
