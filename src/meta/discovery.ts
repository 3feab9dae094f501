import { bool, string, stringItems } from '../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../schema/schema.ts';

export const GroupVersionForDiscovery = struct(
  'meta.v1.GroupVersionForDiscovery',
  {
    groupVersion: f(1, string().required(), 'Group and version as written in apiVersion, such as apps/v1.'),
    version: f(2, string().required(), 'The version alone, such as v1.'),
  },
  { description: 'One version of an API group.' },
);
export type GroupVersionForDiscovery = Infer<typeof GroupVersionForDiscovery>;

export const ServerAddressByClientCIDR = struct(
  'meta.v1.ServerAddressByClientCIDR',
  {
    clientCIDR: f(
      1,
      string().required(),
      'Range of client addresses in CIDR notation; when several match, the longest prefix counts.',
    ),
    serverAddress: f(
      2,
      string().required(),
      'Address that these clients should use: host name, host:port or IP address.',
    ),
  },
  { description: 'Address of the server for clients in a range of addresses.' },
);
export type ServerAddressByClientCIDR = Infer<typeof ServerAddressByClientCIDR>;

export const APIGroup = kind(
  'meta.v1.APIGroup',
  {
    name: f(1, string().required(), 'Name of the group, such as apps.'),
    versions: f(
      2,
      list(GroupVersionForDiscovery).required(),
      'Versions of the group that the server offers, the most preferred first.',
    ),
    preferredVersion: f(3, GroupVersionForDiscovery, 'Version that clients should use when they have no preference.'),
    serverAddressByClientCIDRs: f(
      4,
      list(ServerAddressByClientCIDR),
      'Addresses of the server by address of the client; without a match, clients keep the address they use.',
    ),
  },
  { description: 'Name and versions of an API group.' },
);
export type APIGroup = Infer<typeof APIGroup>;

export const APIGroupList = kind(
  'meta.v1.APIGroupList',
  {
    groups: f(1, list(APIGroup).required(), 'The groups; the core group is not among them.'),
  },
  { description: 'Every API group that the server offers, at /apis.' },
);
export type APIGroupList = Infer<typeof APIGroupList>;

export const APIResource = struct(
  'meta.v1.APIResource',
  {
    name: f(1, string().required(), 'Plural name used in paths, such as pods, or pods/status for a subresource.'),
    singularName: f(
      6,
      string().required(),
      'Singular name that command-line tools accept, such as pod; empty for subresources and older resources.',
    ),
    namespaced: f(2, bool().required(), 'Whether objects of the resource live in a namespace.'),
    group: f(8, string(), 'Group of the kind, where it differs from that of the list.'),
    version: f(9, string(), 'Version of the kind, where it differs from that of the list.'),
    kind: f(3, string().required(), 'Kind of the objects, such as Pod.'),
    verbs: f(
      4,
      stringItems().required(),
      'What can be done: create, delete, deletecollection, get, list, patch, update, watch.',
    ),
    shortNames: f(5, list(string()), 'Abbreviations that command-line tools accept, such as po.'),
    categories: f(
      7,
      list(string()),
      'Groups of resources, such as all, that command-line tools accept in place of a name.',
    ),
    storageVersionHash: f(
      10,
      string(),
      'Hash of the group, version and kind that objects are stored in; a change means that stored objects may need migration.',
    ),
  },
  { description: 'Name, scope and verbs of a resource or subresource.' },
);
export type APIResource = Infer<typeof APIResource>;

export const APIResourceList = kind(
  'meta.v1.APIResourceList',
  {
    groupVersion: f(1, string().required(), 'Group and version of the resources, such as apps/v1.'),
    resources: f(2, list(APIResource).required(), 'The resources, each followed by its subresources.'),
  },
  { description: 'The resources of one version of an API group.' },
);
export type APIResourceList = Infer<typeof APIResourceList>;

export const APIVersions = kind(
  'meta.v1.APIVersions',
  {
    versions: f(1, list(string()).required(), 'The versions, such as v1.'),
    serverAddressByClientCIDRs: f(
      2,
      list(ServerAddressByClientCIDR).required(),
      'Addresses of the server by address of the client; without a match, clients keep the address they use.',
    ),
  },
  { description: 'Versions of the core group, at /api.' },
);
export type APIVersions = Infer<typeof APIVersions>;
