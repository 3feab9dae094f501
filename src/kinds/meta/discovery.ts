import { bool, string, stringItems } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';

export const GroupVersionForDiscovery = struct('meta.v1.GroupVersionForDiscovery', {
  groupVersion: f(1, string().required()),
  version: f(2, string().required()),
});
export type GroupVersionForDiscovery = Infer<typeof GroupVersionForDiscovery>;

export const ServerAddressByClientCIDR = struct('meta.v1.ServerAddressByClientCIDR', {
  clientCIDR: f(1, string().required()),
  serverAddress: f(2, string().required()),
});
export type ServerAddressByClientCIDR = Infer<typeof ServerAddressByClientCIDR>;

export const APIGroup = kind('meta.v1.APIGroup', {
  name: f(1, string().required()),
  versions: f(2, list(GroupVersionForDiscovery).required()),
  preferredVersion: f(3, GroupVersionForDiscovery),
  serverAddressByClientCIDRs: f(4, list(ServerAddressByClientCIDR)),
});
export type APIGroup = Infer<typeof APIGroup>;

export const APIGroupList = kind('meta.v1.APIGroupList', {
  groups: f(1, list(APIGroup).required()),
});
export type APIGroupList = Infer<typeof APIGroupList>;

export const APIResource = struct('meta.v1.APIResource', {
  name: f(1, string().required()),
  singularName: f(6, string().required()),
  namespaced: f(2, bool().required()),
  group: f(8, string()),
  version: f(9, string()),
  kind: f(3, string().required()),
  verbs: f(4, stringItems().required()),
  shortNames: f(5, list(string())),
  categories: f(7, list(string())),
  storageVersionHash: f(10, string()),
});
export type APIResource = Infer<typeof APIResource>;

export const APIResourceList = kind('meta.v1.APIResourceList', {
  groupVersion: f(1, string().required()),
  resources: f(2, list(APIResource).required()),
});
export type APIResourceList = Infer<typeof APIResourceList>;

export const APIVersions = kind('meta.v1.APIVersions', {
  versions: f(1, list(string()).required()),
  serverAddressByClientCIDRs: f(2, list(ServerAddressByClientCIDR).required()),
});
export type APIVersions = Infer<typeof APIVersions>;
