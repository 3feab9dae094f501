import type { ClusterRole } from '../../kinds/rbac/cluster-role.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { clusterRole, pathRule, rule } from './declare.ts';

/** What users may find out about the server and about themselves. */
export const discoveryRoles = (v: Vocabulary): ClusterRole[] => [
  clusterRole(v, 'system:basic-user', [
    rule('create', v.groups.authorization, 'selfsubjectaccessreviews selfsubjectrulesreviews'),
  ]),
  clusterRole(v, 'system:discovery', [
    pathRule('get', '/healthz /livez /readyz /version /version/ /openapi /openapi/* /api /api/* /apis /apis/*'),
  ]),
  clusterRole(v, 'system:public-info-viewer', [pathRule('get', '/healthz /livez /readyz /version /version/')]),
  clusterRole(v, 'system:service-account-issuer-discovery', [
    pathRule('get', '/.well-known/openid-configuration /openid/v1/jwks'),
  ]),
  clusterRole(v, 'system:monitoring', [
    pathRule('get', '/healthz /healthz/* /livez /livez/* /readyz /readyz/* /metrics'),
  ]),
];
